// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryKind;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Entries that a scan has read and not shown yet: keys, and small values, copied; of other values,
 * where they are.
 *
 * <p>A short scan would otherwise spend a good part of its time on arrays of its own, so every
 * thread keeps one batch for its next scan.
 *
 * <p>Threads: one thread at a time.
 */
final class ScanBatch {

  private static final ThreadLocal<@Nullable ScanBatch> SPARE = new ThreadLocal<>();

  /** Longer values are copied once, when the user asks for them. */
  static final int COPIED_VALUE_MAX = 1024;

  /** Entries that a batch has room for. */
  static final int COUNT_MAX = 128;

  private static final int BYTES_FIRST = 4 << 10;
  private static final int BYTES_MAX = 32 << 10;
  private static final int BYTES_KEPT_MAX = 4 * BYTES_MAX;
  private static final int COUNT_FIRST = 16;

  private byte[] bytes = new byte[BYTES_FIRST];
  private int used;
  private int count;

  // Of each entry: where its key begins in bytes, where the key ends and a copied value begins.
  private int[] keyStarts = new int[COUNT_FIRST];
  private int[] keyEnds = new int[COUNT_FIRST];
  private int[] valueLengths = new int[COUNT_FIRST];
  private byte[] kinds = new byte[COUNT_FIRST];

  // Of entries whose value was left where it is.
  private @Nullable ByteBuffer[] places = new ByteBuffer[COUNT_FIRST];
  private int[] offsets = new int[COUNT_FIRST];

  /** An empty batch, to be {@linkplain #giveBack given back} once. */
  static ScanBatch take() {
    ScanBatch spare = SPARE.get();
    SPARE.set(null);
    return spare == null ? new ScanBatch() : spare;
  }

  /** Lets the next scan of this thread have the batch. */
  void giveBack() {
    clear();
    if (bytes.length <= BYTES_KEPT_MAX) {
      SPARE.set(this);
    }
  }

  void clear() {
    Arrays.fill(places, 0, count, null);
    used = 0;
    count = 0;
  }

  int count() {
    return count;
  }

  /** Whether more should be read before some of what is here was shown. */
  boolean hasRoom() {
    return count < COUNT_MAX && used < BYTES_MAX;
  }

  /** Adds an entry that is not a tombstone. */
  void add(EntryCursor entry, boolean withValue) {
    if (count == keyStarts.length) {
      grow();
    }
    int keyLength = entry.keyLength();
    int valueLength = withValue ? entry.valueLength() : 0;
    int copied = valueLength <= COPIED_VALUE_MAX ? valueLength : 0;
    int end = used + keyLength + copied;
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
    }
    keyStarts[count] = used;
    keyEnds[count] = used + keyLength;
    valueLengths[count] = valueLength;
    kinds[count] = (byte) entry.kind();
    ByteBuffer keyBuffer = entry.keyBuffer();
    int keyOffset = entry.keyOffset();
    ByteBuffer valueBuffer = entry.valueBuffer();
    int valueOffset = entry.valueOffset();
    if (isBehind(keyBuffer, keyOffset + keyLength, valueBuffer, valueOffset)) {
      keyBuffer.get(keyOffset, bytes, used, keyLength + copied);
    } else {
      keyBuffer.get(keyOffset, bytes, used, keyLength);
      valueBuffer.get(valueOffset, bytes, used + keyLength, copied);
    }
    if (copied < valueLength) {
      places[count] = valueBuffer;
      offsets[count] = valueOffset;
    }
    used = end;
    count++;
  }

  /** Everywhere the engine keeps entries a value stands behind its key; one copy does for both. */
  @SuppressWarnings("ReferenceEquality") // the same memory, not equal content
  private static boolean isBehind(
      ByteBuffer keyBuffer, int keyEnd, ByteBuffer valueBuffer, int valueOffset) {
    return keyBuffer == valueBuffer && keyEnd == valueOffset;
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

  /** The memory that holds keys and copied values. */
  byte[] bytes() {
    return bytes;
  }

  /** Where the key of an entry begins in {@link #bytes()}. */
  int keyStart(int entry) {
    return keyStarts[entry];
  }

  /** Where the key of an entry ends, and its copied value begins, in {@link #bytes()}. */
  int keyEnd(int entry) {
    return keyEnds[entry];
  }

  /** Length of the value, or of its pointer. */
  int valueLength(int entry) {
    return valueLengths[entry];
  }

  /** Whether the value of an entry is a pointer into the value log; the pointer was copied. */
  boolean isPointer(int entry) {
    return kinds[entry] == EntryKind.POINTER;
  }

  /** Where the value of an entry was left; null if it was copied. */
  @Nullable
  ByteBuffer place(int entry) {
    return places[entry];
  }

  /** Where in {@link #place} the value begins. */
  int placeOffset(int entry) {
    return offsets[entry];
  }
}
