// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import io.github.rlsm.base.LittleEndian;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Collects the entries of one page in key order, and builds the page. {@link PageLayout} defines
 * the bytes. The builder is reused for each page, so it allocates only for a page larger than all
 * before.
 *
 * <p>Threads: one thread at a time.
 */
final class PageBuilder {

  /** Entries in key order. Each has the bytes that it will have in the page, from its tag on. */
  private byte[] staged;

  private int stagedBytes;
  private int count;
  private long minSeqno;
  private long maxSeqno;

  // For each entry in key order; one more start than entries.
  private int[] starts = new int[65];
  private long[] hashes = new long[64];
  private long[] seqnos = new long[64];

  /** For each slot, the rank of its key. */
  private int[] ranks = new int[64];

  /**
   * The start of each bucket in the distribution by hash; during the distribution, its next place.
   */
  private int[] buckets = new int[129];

  private byte[] page;

  PageBuilder(int pageBytes) {
    staged = new byte[2 * pageBytes];
    page = new byte[2 * pageBytes];
    clear();
  }

  /** Starts the next page. */
  void clear() {
    stagedBytes = 0;
    count = 0;
    minSeqno = Long.MAX_VALUE;
    maxSeqno = 0;
  }

  int count() {
    return count;
  }

  /** Length of the page with its present entries, of which there is at least one. */
  int length() {
    return PageLayout.entries(count) + stagedBytes + count * seqnoBytes();
  }

  private int seqnoBytes() {
    return PageLayout.seqnoBytes(maxSeqno - minSeqno);
  }

  /**
   * Length of the page with one more entry.
   *
   * @param entryBytes bytes of the entry, from its tag on
   */
  long lengthWith(long entryBytes, long seqno) {
    long deltaMax = Math.max(maxSeqno, seqno) - Math.min(minSeqno, seqno);
    return PageLayout.entries(count + 1)
        + (count + 1) * (long) PageLayout.seqnoBytes(deltaMax)
        + stagedBytes
        + entryBytes;
  }

  /**
   * Adds an entry. Its key is greater than the keys before, and is the first bytes of {@code key}.
   *
   * @param hash of the key
   * @param head the {@linkplain PageLayout#head(int, int, int) head} of the entry
   * @param value the buffer with the value; not read if the value is empty
   */
  void add(byte[] key, long hash, long head, long seqno, ByteBuffer value, int valueOffset) {
    int keyLength = PageLayout.keyLength(head);
    int valueLength = PageLayout.valueLength(head);
    makeRoom(keyLength + valueLength);
    int at = stagedBytes;
    LittleEndian.putLong(staged, at, head); // the next bytes overwrite those beyond the lengths
    at += PageLayout.keyStart(head);
    System.arraycopy(key, 0, staged, at, keyLength);
    at += keyLength;
    if (valueLength > 0) {
      value.get(valueOffset, staged, at, valueLength);
    }
    stagedBytes = at + valueLength;
    hashes[count] = hash;
    seqnos[count] = seqno;
    minSeqno = Math.min(minSeqno, seqno);
    maxSeqno = Math.max(maxSeqno, seqno);
    count++;
    starts[count] = stagedBytes;
  }

  private void makeRoom(int bytes) {
    if (count == hashes.length) {
      int room = 2 * count;
      starts = Arrays.copyOf(starts, room + 1);
      hashes = Arrays.copyOf(hashes, room);
      seqnos = Arrays.copyOf(seqnos, room);
      ranks = new int[room];
      buckets = new int[2 * room + 1];
    }
    staged = withRoom(staged, stagedBytes + Long.BYTES + bytes);
  }

  /** Returns the array, or a larger copy of it. */
  private static byte[] withRoom(byte[] array, int bytes) {
    return bytes <= array.length ? array : Arrays.copyOf(array, bytes + bytes / 8);
  }

  /**
   * Builds the page, without its checksum. Returns an array that begins with the page, and that the
   * next call reuses.
   *
   * @param padded length of the page with its padding of zeros
   */
  byte[] build(int padded) {
    int length = length();
    int width = seqnoBytes();
    page = withRoom(page, padded + Long.BYTES);
    LittleEndian.putLong(page, PageLayout.CHECKSUM, 0);
    LittleEndian.putShort(page, PageLayout.COUNT, count);
    page[PageLayout.SEQNO_BYTES] = (byte) width;
    LittleEndian.putLong(page, PageLayout.BASE_SEQNO, minSeqno);
    LittleEndian.putInt(page, PageLayout.RAW_LENGTH, length);
    LittleEndian.putInt(page, PageLayout.STORED_LENGTH, length);
    int at = copyEntries(width);
    orderByHash();
    for (int slot = 0; slot < count; slot++) {
      int rank = ranks[slot];
      LittleEndian.putInt(
          page,
          PageLayout.HEADER_BYTES + PageLayout.SLOT_BYTES * slot,
          PageLayout.slot(hashes[rank], offset(rank, width)));
    }
    Arrays.fill(page, at, padded, (byte) 0);
    return page;
  }

  /**
   * Copies the entries into the page, and writes their offsets. Returns the end of the last one.
   */
  private int copyEntries(int seqnoBytes) {
    for (int rank = 0; rank < count; rank++) {
      int at = offset(rank, seqnoBytes);
      // Writes 8 bytes. The entry overwrites the bytes beyond the width.
      LittleEndian.putLong(page, at - seqnoBytes, seqnos[rank] - minSeqno);
      System.arraycopy(staged, starts[rank], page, at, starts[rank + 1] - starts[rank]);
      LittleEndian.putShort(page, PageLayout.order(count) + Short.BYTES * rank, at);
    }
    return PageLayout.entries(count) + count * seqnoBytes + stagedBytes;
  }

  /** The offset of an entry's tag in the page. */
  private int offset(int rank, int seqnoBytes) {
    return PageLayout.entries(count) + (rank + 1) * seqnoBytes + starts[rank];
  }

  /**
   * Fills {@link #ranks}. Hashes are spread evenly, so one distribution into about as many buckets
   * as entries leaves little to sort. It takes linear time, for pages from one entry to thousands.
   */
  private void orderByHash() {
    int bits = Math.max(1, 32 - Integer.numberOfLeadingZeros(count - 1));
    int shift = Long.SIZE - bits;
    Arrays.fill(buckets, 0, (1 << bits) + 1, 0);
    for (int rank = 0; rank < count; rank++) {
      buckets[(int) (hashes[rank] >>> shift) + 1]++;
    }
    for (int bucket = 1; bucket < 1 << bits; bucket++) {
      buckets[bucket] += buckets[bucket - 1];
    }
    for (int rank = 0; rank < count; rank++) {
      ranks[buckets[(int) (hashes[rank] >>> shift)]++] = rank;
    }
    for (int slot = 1; slot < count; slot++) {
      int rank = ranks[slot];
      long hash = hashes[rank];
      int place = slot;
      while (place > 0 && Long.compareUnsigned(hashes[ranks[place - 1]], hash) > 0) {
        ranks[place] = ranks[place - 1];
        place--;
      }
      ranks[place] = rank;
    }
  }
}
