// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.base.EntryView;
import io.github.rlsm.valuelog.ValueReader;
import java.nio.ByteBuffer;

/** The buffers that a reading thread reuses, so that a read allocates only its result. */
final class ReadScratch {

  private static final ThreadLocal<ReadScratch> OWN = ThreadLocal.withInitial(ReadScratch::new);

  final EntryView found = new EntryView();
  final ValueReader values = new ValueReader();
  byte[] key = new byte[64];
  int keyLength;

  static ReadScratch own() {
    return OWN.get();
  }

  /** Builds the internal key from a prefix and a user key. */
  void setKey(byte[] prefix, byte[] userKey, int offset, int length) {
    keyLength = prefix.length + length;
    if (keyLength > key.length) {
      key = new byte[Integer.highestOneBit(keyLength) * 2];
    }
    for (int i = 0; i < prefix.length; i++) {
      key[i] = prefix[i];
    }
    System.arraycopy(userKey, offset, key, prefix.length, length);
  }

  /** Reads an internal key from a buffer. */
  void setKey(ByteBuffer buffer, int offset, int length) {
    keyLength = length;
    if (length > key.length) {
      key = new byte[Integer.highestOneBit(length) * 2];
    }
    buffer.get(offset, key, 0, length);
  }
}
