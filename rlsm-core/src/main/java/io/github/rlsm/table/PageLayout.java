// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import io.github.rlsm.base.KeyOrder;
import io.github.rlsm.base.LittleEndian;
import java.nio.ByteBuffer;

/**
 * The byte layout of a page (FORMAT.md, "Table", "Page").
 *
 * <pre>
 * | offset   | size | type | name         | meaning, valid range                                  |
 * |        0 |    4 | u32  | checksum     | CRC32C of all bytes of the page after it, padding     |
 * |          |      |      |              | included, XOR {@link #place}                          |
 * |        4 |    2 | u16  | count        | entries, 1 or more                                    |
 * |        6 |    1 | u8   | compression  | {@link PageCompression} of what follows the header    |
 * |        7 |    1 | u8   | seqnoBytes   | width of the entries' seqno deltas, 0 to 8            |
 * |        8 |    8 | u64  | baseSeqno    | smallest seqno in the page                            |
 * |       16 |    4 | u32  | rawLength    | bytes of the page, header included, decompressed      |
 * |       20 |    4 | u32  | storedLength | bytes of the page, header included, as stored; padded |
 * |          |      |      |              | with zeroes to whole units of the table               |
 * |       24 |   4n | u32[]| slots        | in hash order, for each entry: low half the offset    |
 * |          |      |      |              | from page start to its tag, high half its fingerprint:|
 * |          |      |      |              | the top 16 bits of its key's hash                     |
 * |    24+4n |   2n | u16[]| order        | for the k-th smallest key, the offset from page start |
 * |          |      |      |              | to its entry's tag; ascending                         |
 * |    24+6n |      |      | entries      | in key order, without gaps                            |
 * </pre>
 *
 * <p>Hash order is the unsigned order of {@link io.github.rlsm.base.KeyHash}. Slots of equal hashes
 * are in key order. An entry:
 *
 * <pre>
 * | offset     | size       | name        | meaning, valid range                           |
 * |-seqnoBytes | seqnoBytes | seqnoDelta  | seqno - baseSeqno                              |
 * |          0 |          1 | tag         | bits 0-1 entry kind; bit 2 width of keyLength  |
 * |            |            |             | - 1; bits 3-4 width of valueLength: 0, 1, 2 or |
 * |            |            |             | (code 3) 4; bits 5-7 zero                      |
 * |          1 |       1, 2 | keyLength   | 1 to 65,535                                    |
 * |            | 0, 1, 2, 4 | valueLength | 0 for a tombstone, 12 for a pointer            |
 * |            |  keyLength | key         | internal key                                   |
 * |            | valueLength| value       | the value, or the pointer to it                |
 * </pre>
 *
 * <p>The kind is an {@link io.github.rlsm.base.EntryKind}, the pointer a
 * {@link io.github.rlsm.base.ValuePointer}. The tag contains the widths of the lengths. Rejected:
 * varints, because widths let one 8-byte load decode an entry's header without a loop or a branch.
 * The methods require a verified page: they check only the bounds of the buffer.
 *
 * <p>DO NOT CHANGE: these bytes are on disk. A new layout gets a new format version. FORMAT.md:
 * "Page".
 */
final class PageLayout {

  static final int CHECKSUM = 0;
  static final int COUNT = 4;
  static final int COMPRESSION = 6;
  static final int SEQNO_BYTES = 7;
  static final int BASE_SEQNO = 8;
  static final int RAW_LENGTH = 16;
  static final int STORED_LENGTH = 20;
  static final int HEADER_BYTES = 24;

  static final int SLOT_BYTES = 4;

  /** Bytes of a slot and of its place in the order. */
  static final int DIRECTORY_BYTES = SLOT_BYTES + 2;

  static final int KEY_BYTES_MAX = 0xFFFF;
  static final int ENTRY_OFFSET_MAX = 0xFFFF;

  /** Bytes of the tag, the longest key length and the longest value length. */
  static final int ENTRY_HEADER_BYTES_MAX = 1 + 2 + 4;

  /** Bytes of the tag and a key length of one byte. */
  static final int ENTRY_HEADER_BYTES_MIN = 2;

  /** The most bytes that an entry occupies in a page in addition to its key and value. */
  static final int ENTRY_OVERHEAD_BYTES_MAX =
      DIRECTORY_BYTES + Long.BYTES + ENTRY_HEADER_BYTES_MAX + 12;

  /**
   * Readers load 8 bytes even for shorter fields, so the buffer must extend this far beyond any
   * page.
   */
  static final int SLACK_BYTES = 8;

  private static final int KIND_MASK = 3;
  private static final int TAG_MASK = 0x1F;
  private static final long PLACE_FACTOR = 0x9E3779B97F4A7C15L;

  private PageLayout() {}

  /**
   * The number that a page's checksum is mixed with. So an intact page in the wrong place or file
   * does not verify. It is the upper half of {@code (fileNumber · 2^32 + unit) ·
   * 0x9E3779B97F4A7C15} (mod 2^64).
   */
  static int place(long fileNumber, int unit) {
    return (int) ((((fileNumber << 32) + unit) * PLACE_FACTOR) >>> 32);
  }

  static int count(ByteBuffer buffer, int page) {
    return LittleEndian.getUnsignedShort(buffer, page + COUNT);
  }

  static int seqnoBytes(ByteBuffer buffer, int page) {
    return LittleEndian.getInt(buffer, page + COUNT) >>> 24;
  }

  static int slot(long hash, int offset) {
    return fingerprint(hash) << 16 | offset;
  }

  private static int fingerprint(long hash) {
    return (int) (hash >>> 48);
  }

  /** Start of the order in the page. */
  static int order(int count) {
    return HEADER_BYTES + SLOT_BYTES * count;
  }

  static int entries(int count) {
    return HEADER_BYTES + DIRECTORY_BYTES * count;
  }

  static int slot(ByteBuffer buffer, int page, int slot) {
    return LittleEndian.getInt(buffer, page + HEADER_BYTES + SLOT_BYTES * slot);
  }

  /** Buffer offset of the entry at a position in hash order. */
  static int entryAtSlot(ByteBuffer buffer, int page, int slot) {
    return page + (slot(buffer, page, slot) & ENTRY_OFFSET_MAX);
  }

  /** Buffer offset of the entry with the {@code rank}-th smallest key, counted from 0. */
  static int entryAtRank(ByteBuffer buffer, int page, int count, int rank) {
    return page + LittleEndian.getUnsignedShort(buffer, page + order(count) + 2 * rank);
  }

  /** The first 8 bytes of an entry. The methods below decode them. */
  static long head(ByteBuffer buffer, int entry) {
    return LittleEndian.getLong(buffer, entry);
  }

  static int kind(long head) {
    return (int) head & KIND_MASK;
  }

  static boolean isKnownTag(long head) {
    return ((int) head & 0xFF & ~TAG_MASK) == 0;
  }

  static int keyLength(long head) {
    return (int) (head >>> 8) & (int) lowBytes(keyLengthWidth(head));
  }

  static int valueLength(long head) {
    int width = valueLengthWidth(head);
    return (int) (head >>> (8 + 8 * keyLengthWidth(head))) & (int) lowBytes(width);
  }

  /** Bytes from an entry's tag to its key. */
  static int keyStart(long head) {
    return 1 + keyLengthWidth(head) + valueLengthWidth(head);
  }

  private static int keyLengthWidth(long head) {
    return 1 + (((int) head >>> 2) & 1);
  }

  private static int valueLengthWidth(long head) {
    int code = ((int) head >>> 3) & 3;
    return code + ((code + 1) >>> 2);
  }

  /** A mask of the lowest {@code bytes} bytes, 0 to 4. */
  private static long lowBytes(int bytes) {
    return (1L << (8 * bytes)) - 1;
  }

  static long seqno(ByteBuffer buffer, int page, int entry) {
    int width = seqnoBytes(buffer, page);
    long base = LittleEndian.getLong(buffer, page + BASE_SEQNO);
    // Takes the bytes before the tag, which are the top of the 8 bytes that end there.
    return width == 0
        ? base
        : base + (LittleEndian.getLong(buffer, entry - Long.BYTES) >>> (64 - 8 * width));
  }

  /** The width of the seqno deltas in a page with this largest delta. */
  static int seqnoBytes(long deltaMax) {
    return (64 - Long.numberOfLeadingZeros(deltaMax) + 7) / 8;
  }

  /** Encodes the head of an entry: tag and lengths, which take {@link #keyStart} bytes. */
  static long head(int kind, int keyLength, int valueLength) {
    int keyWidth = keyLength > 0xFF ? 2 : 1;
    int valueWidth = valueLength == 0 ? 0 : valueLength <= 0xFF ? 1 : valueLength <= 0xFFFF ? 2 : 4;
    int valueCode = Math.min(valueWidth, 3);
    long head = kind | ((keyWidth - 1) << 2) | (valueCode << 3);
    head |= (long) keyLength << 8;
    return head | (long) valueLength << (8 + 8 * keyWidth);
  }

  /**
   * Returns the first slot with the fingerprint of a hash, or −1 if no slot has it.
   *
   * <p>Hashes are spread evenly, so a hash determines its approximate position in the slots. The
   * search starts there, and mostly ends in the same cache line.
   *
   * @param countGuess the approximate number of entries in the page. The search computes its start
   *     from this number, so that the processor loads this cache line and the header's at once
   */
  static int firstSlot(ByteBuffer buffer, int page, int countGuess, long hash) {
    int wanted = fingerprint(hash);
    int guess = (wanted * countGuess) >>> 16;
    int count = count(buffer, page);
    int slot = Math.min(guess, count - 1);
    while (slot > 0 && slot(buffer, page, slot - 1) >>> 16 >= wanted) {
      slot--;
    }
    while (slot < count) {
      int found = slot(buffer, page, slot) >>> 16;
      if (found >= wanted) {
        return found == wanted ? slot : -1;
      }
      slot++;
    }
    return -1;
  }

  /**
   * Returns the buffer offset of the entry with this key, or −1. Compares only entries with the
   * same fingerprint, usually one if the page has the key.
   *
   * @param firstSlot {@link #firstSlot} for the hash of the key
   */
  static int find(ByteBuffer buffer, int page, int firstSlot, byte[] key, int offset, int length) {
    int first = slot(buffer, page, firstSlot);
    int count = count(buffer, page);
    int slot = firstSlot;
    int found = first;
    while ((found ^ first) >>> 16 == 0) {
      int entry = page + (found & ENTRY_OFFSET_MAX);
      long head = head(buffer, entry);
      if (keyLength(head) == length
          && KeyOrder.equal(key, offset, length, buffer, entry + keyStart(head), length)) {
        return entry;
      }
      if (++slot >= count) {
        return -1;
      }
      found = slot(buffer, page, slot);
    }
    return -1;
  }

  /**
   * Returns how many keys of a page are smaller than a key: its rank, or its rank after an
   * insertion.
   *
   * @param count the exact number of entries in the page
   */
  static int rank(ByteBuffer buffer, int page, int count, byte[] key, int offset, int length) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      int entry = entryAtRank(buffer, page, count, middle);
      if (compareKey(buffer, entry, key, offset, length) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Bytes of the entries with the smallest keys of a page. At least 1 for an entry. */
  static long entryBytes(ByteBuffer buffer, int page, int count, int entries) {
    long bytes = 0;
    for (int rank = 0; rank < entries; rank++) {
      long head = head(buffer, entryAtRank(buffer, page, count, rank));
      bytes += (long) keyStart(head) + keyLength(head) + Math.max(0, valueLength(head));
    }
    return bytes;
  }

  /** Compares the key of an entry with another. */
  static int compareKey(ByteBuffer buffer, int entry, byte[] key, int offset, int length) {
    long head = head(buffer, entry);
    return -KeyOrder.compare(key, offset, length, buffer, entry + keyStart(head), keyLength(head));
  }
}
