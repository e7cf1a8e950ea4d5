// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.log.RecordEncoder;
import io.github.rlsm.memory.SpareVersions;
import java.nio.ByteBuffer;

/** What a writing thread keeps from one write to the next, so that a write allocates nothing. */
final class WriteScratch {

  private static final ThreadLocal<WriteScratch> OWN = ThreadLocal.withInitial(WriteScratch::new);

  final RecordEncoder encoder = new RecordEncoder();
  final Place place = new Place();
  final SpareVersions versions = new SpareVersions();

  /** The internal key. */
  byte[] key = new byte[64];

  int keyLength;

  /** Delay that was too short to be worth a pause, in nanoseconds. */
  long owedNanos;

  static WriteScratch own() {
    return OWN.get();
  }

  /** Makes room for a key of that length. */
  void ensureKey(int length) {
    if (length > key.length) {
      key = new byte[Integer.highestOneBit(length) * 2];
    }
  }

  /** Drops the user's value, and memory that only a huge write needed. */
  void release() {
    place.clear();
    versions.trim();
    encoder.release();
  }

  /** Puts the internal key together. */
  void setKey(byte[] prefix, byte[] userKey, int offset, int length) {
    ensureKey(prefix.length + length);
    keyLength = prefix.length + length;
    for (int i = 0; i < prefix.length; i++) {
      key[i] = prefix[i];
    }
    System.arraycopy(userKey, offset, key, prefix.length, length);
  }

  /** Takes an internal key from a buffer; see {@link #ensureKey}. */
  void setKey(ByteBuffer buffer, int offset, int length) {
    ensureKey(length);
    keyLength = length;
    buffer.get(offset, key, 0, length);
  }
}
