// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.Reused;
import io.github.rlsm.base.ValuePointer;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A batch of entries that a scan has read and not returned yet. Holds copies of keys and small
 * values, and the locations of other values.
 *
 * <p>Later scans {@linkplain Reused reuse} a batch. Otherwise a short scan would spend much of its
 * time on allocating arrays.
 *
 * <p>Threads: one thread at a time.
 */
final class ScanBatch {

  private static final Reused<ScanBatch> BATCHES = new Reused<>(ScanBatch::new);

  /**
   * The maximum length of copied values. Longer values are copied only when the user asks for them.
   */
  static final int COPIED_VALUE_MAX = 1024;

  /** The maximum number of entries in a batch. */
  static final int COUNT_MAX = 128;

  private static final int BYTES_FIRST = 4 << 10;
  private static final int BYTES_MAX = 32 << 10;
  private static final int BYTES_KEPT_MAX = 4 * BYTES_MAX;
  private static final int COUNT_FIRST = 16;

  private byte[] bytes = new byte[BYTES_FIRST];
  private int used;
  private int count;

  // For each entry: the start of its key in bytes, and the end of the key, where a copied value
  // starts.
  private int[] keyStarts = new int[COUNT_FIRST];
  private int[] keyEnds = new int[COUNT_FIRST];
  private int[] valueLengths = new int[COUNT_FIRST];
  private byte[] kinds = new byte[COUNT_FIRST];

  // For entries whose value was not copied: its location.
  private @Nullable ByteBuffer[] places = new ByteBuffer[COUNT_FIRST];
  private int[] offsets = new int[COUNT_FIRST];

  private final ValueGroup values = new ValueGroup();
  private final RequestWindow requests = new RequestWindow();

  /** The requested ranges of the value log; null until a scan requests some. */
  private @Nullable ValueRanges ranges;

  /** Returns an empty batch, to be {@linkplain #giveBack given back} once. */
  static ScanBatch take() {
    return BATCHES.take();
  }

  /** Clears the batch and gives it to a later scan. */
  void giveBack() {
    clear();
    if (ranges != null) {
      ranges.reset();
    }
    if (bytes.length <= BYTES_KEPT_MAX) {
      BATCHES.giveBack(this);
    }
  }

  void clear() {
    Arrays.fill(places, 0, count, null);
    used = 0;
    count = 0;
    values.clear();
    requests.clear();
  }

  /** Returns the values of this batch that were read from the value log together. */
  ValueGroup values() {
    return values;
  }

  /** Returns the entries of this batch whose values were requested. */
  RequestWindow requests() {
    return requests;
  }

  /** Returns the ranges of the value log that the scan requests. */
  ValueRanges ranges() {
    ValueRanges own = ranges;
    if (own == null) {
      own = new ValueRanges(COUNT_MAX);
      ranges = own;
    }
    return own;
  }

  /** Whether the scan has requested values beyond this batch. */
  boolean areAhead() {
    return ranges != null && ranges.areAhead();
  }

  int count() {
    return count;
  }

  /** Whether the batch has room for another entry. */
  boolean hasRoom() {
    return count < COUNT_MAX && used < BYTES_MAX;
  }

  /** Adds an entry that is not a tombstone. It can be read after {@link #copy}. */
  void add(CursorEntry entry, boolean withValue) {
    if (count == keyStarts.length) {
      grow();
    }
    int keyLength = entry.keyLength();
    int valueLength = withValue ? entry.valueLength() : 0;
    int copied = valueLength <= COPIED_VALUE_MAX ? valueLength : 0;
    keyStarts[count] = used;
    keyEnds[count] = used + keyLength;
    valueLengths[count] = valueLength;
    kinds[count] = (byte) entry.kind();
    places[count] = entry.buffer();
    offsets[count] = entry.keyOffset();
    used += keyLength + copied;
    count++;
  }

  /**
   * Copies the keys and the values that are not too long, of all entries, into the batch. Most of
   * them are not in the processor's cache. In one loop their loads overlap; between the steps of a
   * merge, most would wait for the previous one.
   */
  void copy() {
    if (used > bytes.length) {
      bytes = new byte[Math.max(used, 2 * bytes.length)];
    }
    for (int i = 0; i < count; i++) {
      ByteBuffer place = places[i];
      if (place != null) {
        int keyLength = keyEnds[i] - keyStarts[i];
        int copied = valueLengths[i] <= COPIED_VALUE_MAX ? valueLengths[i] : 0;
        place.get(offsets[i], bytes, keyStarts[i], keyLength + copied);
        if (copied == valueLengths[i]) {
          places[i] = null;
        } else {
          offsets[i] += keyLength;
        }
      }
    }
  }

  private void grow() {
    int length = Math.min(COUNT_MAX, 4 * count);
    keyStarts = Arrays.copyOf(keyStarts, length);
    keyEnds = Arrays.copyOf(keyEnds, length);
    valueLengths = Arrays.copyOf(valueLengths, length);
    kinds = Arrays.copyOf(kinds, length);
    places = Arrays.copyOf(places, length);
    offsets = Arrays.copyOf(offsets, length);
  }

  /** Returns the array that holds keys and copied values. */
  byte[] bytes() {
    return bytes;
  }

  /** Returns the start of an entry's key in {@link #bytes()}. */
  int keyStart(int entry) {
    return keyStarts[entry];
  }

  /** Returns the end of an entry's key in {@link #bytes()}, where a copied value starts. */
  int keyEnd(int entry) {
    return keyEnds[entry];
  }

  /** Returns the length of the value or of its pointer. */
  int valueLength(int entry) {
    return valueLengths[entry];
  }

  /** Whether the value of an entry is a pointer into the value log. Pointers are copied. */
  boolean isPointer(int entry) {
    return kinds[entry] == EntryKind.POINTER;
  }

  /** Returns the pointer of an entry that {@link #isPointer has one}. */
  ValuePointer pointer(int entry) {
    return ValuePointer.read(bytes, keyEnds[entry]);
  }

  /** Returns the buffer that holds an entry's value; null if the value was copied. */
  @Nullable
  ByteBuffer place(int entry) {
    return places[entry];
  }

  /** Returns the offset of the value in {@link #place}. */
  int placeOffset(int entry) {
    return offsets[entry];
  }
}
