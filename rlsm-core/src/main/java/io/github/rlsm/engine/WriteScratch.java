// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.base.KeyspacePrefix;
import io.github.rlsm.log.RecordEncoder;
import io.github.rlsm.memory.SpareVersions;
import java.nio.ByteBuffer;

/**
 * The buffers that a writing thread reuses, so that a write allocates nothing. Hold the key of the
 * thread's next write.
 *
 * <p>Threads: one thread at a time.
 */
public final class WriteScratch {

  private static final ThreadLocal<WriteScratch> OWN = ThreadLocal.withInitial(WriteScratch::new);

  final RecordEncoder encoder = new RecordEncoder();
  final Place place = new Place();
  final SpareVersions versions = new SpareVersions();

  /** The internal key. */
  byte[] key = new byte[64];

  int keyLength;

  /** The length of the internal key without its prefix. */
  int userKeyLength;

  /** The accumulated delay that was too short for a pause, in nanoseconds. */
  long owedNanos;

  static WriteScratch own() {
    return OWN.get();
  }

  /** Returns this thread's buffers with the key of its next write: a prefix and a user key. */
  public static WriteScratch of(byte[] prefix, byte[] userKey, int offset, int length) {
    WriteScratch scratch = own();
    scratch.setKey(prefix, userKey, offset, length);
    return scratch;
  }

  /** Ensures room for a key of this length. */
  void ensureKey(int length) {
    key = KeyspacePrefix.ensure(key, length);
  }

  /** Drops the user's value, and memory that only a huge write needed. */
  void release() {
    place.clear();
    versions.trim();
    encoder.release();
  }

  /** Builds the internal key from a prefix and a user key. */
  void setKey(byte[] prefix, byte[] userKey, int offset, int length) {
    key = KeyspacePrefix.join(key, prefix, userKey, offset, length);
    userKeyLength = length;
    keyLength = prefix.length + length;
  }

  /** Reads an internal key from a buffer; see {@link #ensureKey}. */
  void setKey(ByteBuffer buffer, int offset, int length) {
    ensureKey(length);
    keyLength = length;
    buffer.get(offset, key, 0, length);
  }
}
