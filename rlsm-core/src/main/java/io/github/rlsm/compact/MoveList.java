// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.policy.Plan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A list of values to be moved to a group of new segments. They are added in key order, and visited
 * in the order of their old places. Each value takes about 35 bytes of memory in addition to its
 * key. When the values are copied, the list is used again.
 *
 * <p>The list consists of small arrays. Rejected: arrays that grow. The G1 collector gives an array
 * of at least half a region whole regions, and extends the heap for them.
 *
 * <p>A <i>place</i> is a number that has the index of a value's old segment, its offset there in
 * units, and its own index in the list. So sorted places are in the order of the old places.
 *
 * <p>Threads: one thread adds. Afterwards several threads may visit values.
 */
final class MoveList {

  private static final int INDEX_BITS = 18;
  private static final int UNIT_BITS = 28;
  private static final int UNIT = 8;

  private static final int COUNT_MAX = 1 << INDEX_BITS;
  private static final int KEY_BYTES_MAX = 32 << 20;
  private static final int KEY_BYTES_KEPT_MAX = 8 << 20;

  /** Room for a key in a new chunk. */
  private static final int KEY_BYTES = 16;

  private static final int CHUNK_BITS = 12;
  private static final int CHUNK = 1 << CHUNK_BITS;

  /** Adjacent values, in key order. */
  private static final class Chunk {

    private final long[] places = new long[CHUNK];
    private final long[] seqnos = new long[CHUNK];
    private final int[] valueLengths = new int[CHUNK];

    /** The index of the new segment, and the offset in it. */
    private final int[] targets = new int[CHUNK];

    private final int[] offsets = new int[CHUNK];
    private final boolean[] inBatch = new boolean[CHUNK];
    private final int[] keyEnds = new int[CHUNK];
    private byte[] keys = new byte[KEY_BYTES * CHUNK];

    int keyStart(int slot) {
      return slot == 0 ? 0 : keyEnds[slot - 1];
    }

    void addKey(int slot, CursorEntry entry) {
      int start = keyStart(slot);
      int end = start + entry.keyLength();
      if (end > keys.length) {
        keys = Arrays.copyOf(keys, end + end / 4);
      }
      entry.buffer().get(entry.keyOffset(), keys, start, entry.keyLength());
      keyEnds[slot] = end;
    }
  }

  private final List<Chunk> chunks = new ArrayList<>();
  private int count;
  private long keyBytes;

  /** Whether no value can be added before the list is cleared. */
  boolean isFull() {
    return count == COUNT_MAX || keyBytes > KEY_BYTES_MAX;
  }

  /**
   * Whether the list may be kept for another job. Chunks keep the room of their longest keys, which
   * is not worth keeping if keys are long.
   */
  boolean isWorthKeeping() {
    long room = chunks.stream().mapToLong(chunk -> chunk.keys.length).sum();
    return room <= KEY_BYTES_KEPT_MAX;
  }

  /** Removes all values. The list keeps its memory. */
  void clear() {
    count = 0;
    keyBytes = 0;
  }

  /**
   * Adds the value of the entry that a cursor is on.
   *
   * @param old the value's old place
   * @param segment index of its old segment, less than {@link Plan.Clean.Move#SEGMENTS_MAX}
   * @param target index of its new segment in the group
   * @param offset its offset in the new segment
   */
  void add(CursorEntry entry, ValuePointer old, int segment, int target, int offset) {
    int slot = count & (CHUNK - 1);
    if (count >> CHUNK_BITS == chunks.size()) {
      chunks.add(new Chunk());
    }
    Chunk chunk = chunk(count);
    chunk.addKey(slot, entry);
    long unit = old.offset() / UNIT;
    chunk.places[slot] =
        ((long) segment << (UNIT_BITS + INDEX_BITS)) | (unit << INDEX_BITS) | count;
    chunk.seqnos[slot] = entry.seqno();
    chunk.valueLengths[slot] = old.valueLength();
    chunk.inBatch[slot] = old.inBatch();
    chunk.targets[slot] = target;
    chunk.offsets[slot] = offset;
    count++;
    keyBytes += entry.keyLength();
  }

  private Chunk chunk(int index) {
    return chunks.get(index >> CHUNK_BITS);
  }

  private Chunk chunk(long place) {
    return chunk(index(place));
  }

  private static int index(long place) {
    return (int) place & (COUNT_MAX - 1);
  }

  private static int slot(long place) {
    return (int) place & (CHUNK - 1);
  }

  /** Returns the sorted places of all values. */
  long[] sorted() {
    long[] places = new long[count];
    for (int i = 0; i < count; i += CHUNK) {
      System.arraycopy(chunk(i).places, 0, places, i, Math.min(CHUNK, count - i));
    }
    Arrays.sort(places);
    return places;
  }

  /** The index of a value's old segment. */
  static int segment(long place) {
    return (int) (place >>> (UNIT_BITS + INDEX_BITS));
  }

  /** The value's offset in its old segment. */
  static int oldOffset(long place) {
    return (int) ((place >>> INDEX_BITS) & ((1 << UNIT_BITS) - 1)) * UNIT;
  }

  /** The index of a value's new segment. */
  int target(long place) {
    return chunk(place).targets[slot(place)];
  }

  boolean isInBatch(long place) {
    return chunk(place).inBatch[slot(place)];
  }

  long seqno(long place) {
    return chunk(place).seqnos[slot(place)];
  }

  int valueLength(long place) {
    return chunk(place).valueLengths[slot(place)];
  }

  /** The value's offset in its new segment. */
  int offset(long place) {
    return chunk(place).offsets[slot(place)];
  }

  /** An array that contains the value's key. */
  byte[] keys(long place) {
    return chunk(place).keys;
  }

  int keyOffset(long place) {
    return chunk(place).keyStart(slot(place));
  }

  int keyLength(long place) {
    Chunk chunk = chunk(place);
    int slot = slot(place);
    return chunk.keyEnds[slot] - chunk.keyStart(slot);
  }
}
