// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.ValuePointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Entries in key order, copied out of cursors that have moved on.
 *
 * <p>Threads: one thread at a time.
 */
final class EntryLot {

  private static final int COUNT_MAX = 512;
  private static final int BYTES_MAX = 256 << 10;

  private final int[] starts = new int[COUNT_MAX + 1];
  private final int[] keyLengths = new int[COUNT_MAX];
  private final int[] kinds = new int[COUNT_MAX];
  private final long[] seqnos = new long[COUNT_MAX];
  private ByteBuffer bytes = ByteBuffer.allocate(BYTES_MAX).order(ByteOrder.LITTLE_ENDIAN);
  private int count;

  /** Whether there is room for an entry, be it as long as it may. */
  boolean hasRoom() {
    return count < COUNT_MAX && starts[count] < BYTES_MAX;
  }

  /** Copies the entry that a cursor is on, whose key is greater than those before. */
  void add(EntryCursor entry) {
    int key = starts[count];
    int value = key + entry.keyLength();
    int end = value + entry.valueLength();
    if (end > bytes.capacity()) {
      ByteBuffer longer = ByteBuffer.allocate(end).order(ByteOrder.LITTLE_ENDIAN);
      bytes = longer.put(0, bytes, 0, key);
    }
    bytes.put(key, entry.keyBuffer(), entry.keyOffset(), value - key);
    if (end > value) {
      bytes.put(value, entry.valueBuffer(), entry.valueOffset(), end - value);
    }
    keyLengths[count] = value - key;
    kinds[count] = entry.kind();
    seqnos[count] = entry.seqno();
    starts[++count] = end;
  }

  void clear() {
    count = 0;
  }

  int count() {
    return count;
  }

  /** What holds keys and values; it has an array, and begins where that does. */
  ByteBuffer bytes() {
    return bytes;
  }

  int keyOffset(int entry) {
    return starts[entry];
  }

  int keyLength(int entry) {
    return keyLengths[entry];
  }

  int kind(int entry) {
    return kinds[entry];
  }

  long seqno(int entry) {
    return seqnos[entry];
  }

  int valueOffset(int entry) {
    return starts[entry] + keyLengths[entry];
  }

  int valueLength(int entry) {
    return starts[entry + 1] - valueOffset(entry);
  }

  /** Where the value of an entry stands that has a pointer. */
  ValuePointer pointer(int entry) {
    return ValuePointer.read(bytes, valueOffset(entry));
  }
}
