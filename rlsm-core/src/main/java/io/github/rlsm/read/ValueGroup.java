// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.kv.KvException;
import io.github.rlsm.valuelog.ValueLog;
import io.github.rlsm.valuelog.ValueReader;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The values of a few adjacent entries of a batch, read from the value log together. So a scan
 * enters the guard and checks for faults once for all of them. Each value is verified like a value
 * that is read alone.
 *
 * <p>Threads: one thread at a time.
 */
final class ValueGroup {

  /** The maximum number of entries in a group. */
  static final int COUNT_MAX = 8;

  /** The maximum length of a value. Longer values are read alone. */
  private static final int VALUE_BYTES_MAX = ValueLog.TOUCHED_BYTES_MAX;

  private final ValueReader reader = new ValueReader();
  private final int[] lengths = new int[COUNT_MAX];

  /** A slot of {@value #VALUE_BYTES_MAX} bytes for each entry; empty until the first group. */
  private ByteBuffer slots = ByteBuffer.allocate(0);

  // The entries of the batch whose values are in the slots.
  private int from;
  private int end;

  /** Returns the reader, for values that are read alone. */
  ValueReader reader() {
    return reader;
  }

  /** Removes all values. */
  void clear() {
    from = 0;
    end = 0;
  }

  /** Whether a value is short enough for a group. */
  static boolean fits(ValuePointer pointer) {
    return pointer.valueLength() <= VALUE_BYTES_MAX;
  }

  /** Whether the group has the value of an entry. */
  boolean has(int entry) {
    return entry >= from && entry < end;
  }

  /**
   * Replaces the group by the values of the entries from {@code first} on. Stops before an entry
   * that has no pointer, has a long value, or whose value cannot be read. The caller reads that
   * entry alone, and so gets its error when it asks for its value.
   *
   * @param last the end of the entries, at most {@link #COUNT_MAX} after the first
   */
  void read(ValueLog log, ScanBatch batch, int first, int last) {
    from = first;
    end = first;
    if (slots.capacity() == 0) {
      slots = ByteBuffer.allocate(COUNT_MAX * VALUE_BYTES_MAX);
    }
    while (end < last && batch.isPointer(end)) {
      ValuePointer pointer = batch.pointer(end);
      if (!fits(pointer) || !read(log, batch, pointer)) {
        return;
      }
      end++;
    }
  }

  /** Reads the value of the entry {@link #end}. Returns false if it cannot be read. */
  private boolean read(ValueLog log, ScanBatch batch, ValuePointer pointer) {
    int key = batch.keyStart(end);
    int keyLength = batch.keyEnd(end) - key;
    slots.limit(slots.capacity()).position((end - from) * VALUE_BYTES_MAX);
    try {
      lengths[end - from] = reader.read(log, pointer, batch.bytes(), key, keyLength, slots);
      return true;
    } catch (KvException e) {
      return false; // thrown again when the entry is read alone
    }
  }

  /** Returns a copy of an entry's value. */
  byte[] copy(int entry) {
    int start = (entry - from) * VALUE_BYTES_MAX;
    return Arrays.copyOfRange(slots.array(), start, start + lengths[entry - from]);
  }

  /** Copies as much as fits of an entry's value. Returns the length of the value. */
  int copy(int entry, ByteBuffer destination) {
    int length = lengths[entry - from];
    int start = (entry - from) * VALUE_BYTES_MAX;
    destination.put(slots.array(), start, Math.min(length, destination.remaining()));
    return length;
  }
}
