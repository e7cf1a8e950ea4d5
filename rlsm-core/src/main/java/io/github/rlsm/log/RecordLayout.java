// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.base.LittleEndian;
import io.github.rlsm.base.PartHeader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The layout of log records. Records begin at multiples of 8. All numbers are little-endian.
 *
 * <pre>
 * record header
 * | offset | size | name    | meaning                                                            |
 * |      0 |    4 | crc32c  | of bytes [16, length), then the segment's salt, then bytes [4, 16) |
 * |      4 |    4 | length  | bytes of the record without padding, 18 or more                    |
 * |      8 |    7 | seqno   | position in the logical log, in units of 8 bytes                   |
 * |     15 |    1 | kind    | low nibble: 1 put, 2 delete, 3 batch, 4 void; bit 4: promise       |
 * |     16 |  0/8 | promise | if bit 4: every seqno below this was durable before this record    |
 *
 * put, delete, void: | 2 | keyLength | then key | then value, to the end of the record |
 * batch:             | 4 | operation count | 4 | partHeaderLength | then the part header, if any,
 *                    then operations, each at a multiple of 8
 *
 * part header, in a batch that is this store's part of a cross-shard batch
 * |      0 |    8 | gsn    | number of the cross-shard batch, 1 or more                         |
 * |      8 |    2 | count  | how many stores have a part, 2 or more                             |
 * |     10 |    2 | stores | numbers of these stores, ascending; partHeaderLength: 10 + 2 count |
 *
 * operation in a batch
 * |      0 |    4 | crc32c      | of bytes [4, 12 + keyLength + valueLength)    |
 * |      4 |    1 | kind        | 1 put, 2 delete                               |
 * |      5 |    1 | zero        |                                               |
 * |      6 |    2 | keyLength   |                                               |
 * |      8 |    4 | valueLength |                                               |
 * |     12 |      | key, value  |                                               |
 * </pre>
 *
 * <p>The checksum covers the body first, so that it can be computed before the seqno is drawn. Each
 * operation of a batch has its own checksum, so that one value can be verified without reading the
 * whole batch. The checksum of the record makes the batch atomic. A void record is a write that was
 * withdrawn after its seqno was drawn, or padding before a put. A void batch keeps only its length.
 *
 * <p>A <i>location</i> is an int that identifies an entry within a generation. Bit 31 is set for
 * the value stream, bit 30 for an operation in a batch. Bits 0 to 27 are the offset in units of 8
 * bytes.
 *
 * <p>DO NOT CHANGE: these bytes are on disk. A new layout gets a new format version. FORMAT.md:
 * "Record".
 */
public final class RecordLayout {

  /** Bytes of a unit. Records begin at multiples of it, and seqnos count units. */
  public static final int UNIT = 8;

  /** Bytes of the record header. */
  public static final int HEADER = 16;

  /** Bytes of the length before a key. */
  public static final int KEY_LENGTH = 2;

  /** Bytes of an operation before its key. */
  public static final int OPERATION_HEAD = 12;

  /** The kind of a put. */
  public static final int PUT = 1;

  /** The bits of a kind byte that hold the kind. */
  public static final int KIND_MASK = 0x0F;

  /** Bytes of the checksum at the beginning of a record or operation, which it does not cover. */
  public static final int CRC_BYTES = 4;

  // Offsets in the header of a record.
  static final int CRC = 0;
  static final int LENGTH = CRC_BYTES;
  static final int SEQNO_AND_KIND = LENGTH + 4;

  static final int PROMISE = 8;

  // Offsets in the head of a batch, from the start of the body.
  static final int COUNT = 0;
  static final int PART_HEADER_LENGTH = COUNT + 4;
  static final int BATCH_HEAD = PART_HEADER_LENGTH + 4;

  // Offsets in an operation. Its checksum comes first, as in a record.
  static final int OPERATION_KIND = CRC_BYTES;
  static final int OPERATION_ZERO = OPERATION_KIND + 1;
  static final int OPERATION_KEY_LENGTH = OPERATION_ZERO + 1;
  static final int OPERATION_VALUE_LENGTH = OPERATION_KEY_LENGTH + 2;

  static final int DELETE = 2;
  static final int BATCH = 3;
  static final int VOID = 4;
  static final int PROMISE_FLAG = 0x10;

  static final long SEQNO_MASK = (1L << 56) - 1;

  /** Bytes of a page of memory on most machines, the smallest part of a file that is read. */
  static final int PAGE_BYTES = 4 << 10;

  /** The shortest void record, with a key of one byte. */
  private static final int VOID_UNITS_MIN = units(HEADER + KEY_LENGTH + 1);

  /** A record may have this part of its length as padding before it. */
  private static final int PADDING_DIVISOR = 16;

  private static final int STREAM_BIT = 1 << 31;
  private static final int BATCH_BIT = 1 << 30;
  private static final int UNITS_MASK = (1 << 28) - 1;

  private RecordLayout() {}

  /** Returns the units of a record of the given length, with padding. */
  public static int units(int length) {
    return (length + UNIT - 1) / UNIT;
  }

  static int align(int offset) {
    return (offset + UNIT - 1) & -UNIT;
  }

  /**
   * Returns the units to skip before a put in the value log, so that it begins at a page. It is 0
   * if the put would not lie in fewer pages then, or if it would take a sixteenth more space.
   *
   * <p>A read of a value reads all pages that its record lies in. For example, a record of 16,032
   * bytes lies in five pages almost everywhere, but in four if it begins at a page. Rejected: up to
   * 256 bytes of padding before short records. Gets of 512 bytes were not faster.
   *
   * @param offset where the record would begin, in bytes
   * @param units length of the record
   */
  static int padding(int offset, int units) {
    int bytes = units * UNIT;
    int inPage = offset & (PAGE_BYTES - 1);
    boolean takesAnotherPage = (inPage + bytes - 1) / PAGE_BYTES > (bytes - 1) / PAGE_BYTES;
    int padding = PAGE_BYTES - inPage;
    return takesAnotherPage
            && padding >= VOID_UNITS_MIN * UNIT
            && padding <= bytes / PADDING_DIVISOR
        ? padding / UNIT
        : 0;
  }

  /**
   * Returns the bytes of a batch before its operations. The length of its part header is 0 if there
   * is none.
   */
  static int batchHead(int partHeaderLength) {
    return BATCH_HEAD + align(partHeaderLength);
  }

  /** Returns the length of a record without padding. */
  public static int length(ByteBuffer segment, int offset) {
    return LittleEndian.getMappedInt(segment, offset + LENGTH);
  }

  static long seqno(ByteBuffer segment, int offset) {
    return LittleEndian.getLong(segment, offset + SEQNO_AND_KIND) & SEQNO_MASK;
  }

  /** The kind byte with its flags. */
  public static int kindByte(ByteBuffer segment, int offset) {
    // Do not load a single byte: see LittleEndian.getMappedInt about bit tests.
    return (int) (LittleEndian.getLong(segment, offset + SEQNO_AND_KIND) >>> 56);
  }

  static long seqnoAndKind(long seqno, int kindByte) {
    return seqno | (long) kindByte << 56;
  }

  /** Returns the most bytes of a record of one put, or of an operation, before its value. */
  public static int headBytesMax(int keyLength) {
    return HEADER + PROMISE + KEY_LENGTH + keyLength;
  }

  /** Returns the offset of the body, after header and promise, relative to the record. */
  public static int bodyStart(int kindByte) {
    return (kindByte & PROMISE_FLAG) == 0 ? HEADER : HEADER + PROMISE;
  }

  /**
   * Returns the location of a record, or of an operation in a batch, at a byte offset of a segment.
   */
  public static int location(boolean inValueLog, boolean inBatch, int offset) {
    return offset / UNIT | (inValueLog ? STREAM_BIT : 0) | (inBatch ? BATCH_BIT : 0);
  }

  /** Returns whether the entry is in the generation's value segment. */
  public static boolean inValueLog(int location) {
    return location < 0;
  }

  /** Returns whether the entry is an operation in a batch. */
  public static boolean inBatch(int location) {
    return (location & BATCH_BIT) != 0;
  }

  /** Returns the byte offset of the entry's record or operation in its segment. */
  public static int offset(int location) {
    return (location & UNITS_MASK) * UNIT;
  }

  /**
   * Returns the checksum of a record or operation. Reads no byte before it: that may be on a page
   * that is not in memory.
   */
  public static int checksum(ByteBuffer segment, int offset) {
    return (int) LittleEndian.getLong(segment, offset + CRC);
  }

  /** Returns the kind of an operation in a batch. */
  public static int operationKind(ByteBuffer segment, int offset) {
    return segment.get(offset + OPERATION_KIND);
  }

  /** Returns the length of the key of an operation in a batch. */
  public static int operationKeyLength(ByteBuffer segment, int offset) {
    return LittleEndian.getUnsignedShort(segment, offset + OPERATION_KEY_LENGTH);
  }

  /** Returns the length of the value of an operation in a batch. */
  public static int operationValueLength(ByteBuffer segment, int offset) {
    return LittleEndian.getMappedInt(segment, offset + OPERATION_VALUE_LENGTH);
  }

  /** Returns the offset of the operation after the one at {@code offset} in a batch. */
  public static int nextOperation(ByteBuffer segment, int offset) {
    int keyLength = operationKeyLength(segment, offset);
    return align(offset + OPERATION_HEAD + keyLength + operationValueLength(segment, offset));
  }

  /**
   * Returns the {@link io.github.rlsm.base.EntryKind} of the entry at a location, PUT or DELETE.
   */
  public static int entryKind(ByteBuffer segment, int location) {
    int offset = offset(location);
    return inBatch(location)
        ? operationKind(segment, offset)
        : kindByte(segment, offset) & KIND_MASK;
  }

  /** Returns the byte offset of the entry's key in its segment. */
  public static int keyOffset(ByteBuffer segment, int location) {
    int offset = offset(location);
    return inBatch(location)
        ? offset + OPERATION_HEAD
        : offset + bodyStart(kindByte(segment, offset)) + KEY_LENGTH;
  }

  /** Returns the length of the entry's key, given the offset of the key. */
  public static int keyLength(ByteBuffer segment, int location, int keyOffset) {
    int at = inBatch(location) ? offset(location) + OPERATION_KEY_LENGTH : keyOffset - KEY_LENGTH;
    return LittleEndian.getUnsignedShort(segment, at);
  }

  /** Returns the length of the entry's value, given the offset and length of its key. */
  public static int valueLength(ByteBuffer segment, int location, int keyOffset, int keyLength) {
    int offset = offset(location);
    return inBatch(location)
        ? operationValueLength(segment, offset)
        : length(segment, offset) - (keyOffset - offset) - keyLength;
  }

  /** The encoding of the part header in the table above. */
  static final class PartHeaderLayout {

    private static final int COUNT_OFFSET = 8;
    private static final int STORES_OFFSET = 10;

    private PartHeaderLayout() {}

    /** Encoded length. */
    static int length(PartHeader header) {
      return STORES_OFFSET + Short.BYTES * header.stores().size();
    }

    /** Writes a header, little-endian. */
    static void encode(PartHeader header, ByteBuffer to, int offset) {
      to.putLong(offset, header.gsn());
      to.putShort(offset + COUNT_OFFSET, (short) header.stores().size());
      for (int i = 0; i < header.stores().size(); i++) {
        int store = header.stores().get(i);
        to.putShort(offset + STORES_OFFSET + Short.BYTES * i, (short) store);
      }
    }

    /**
     * Returns whether the bytes encode a header of the given length, which must lie within the
     * buffer.
     */
    static boolean isSound(ByteBuffer from, int offset, int length) {
      if (length < STORES_OFFSET) {
        return false;
      }
      int count = Short.toUnsignedInt(from.getShort(offset + COUNT_OFFSET));
      return length == STORES_OFFSET + Short.BYTES * count
          && PartHeader.isPossible(from.getLong(offset), stores(from, offset));
    }

    /** Decodes a sound header. */
    static PartHeader decode(ByteBuffer from, int offset) {
      return new PartHeader(from.getLong(offset), stores(from, offset));
    }

    private static List<Integer> stores(ByteBuffer from, int offset) {
      int count = Short.toUnsignedInt(from.getShort(offset + COUNT_OFFSET));
      List<Integer> stores = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        stores.add(Short.toUnsignedInt(from.getShort(offset + STORES_OFFSET + Short.BYTES * i)));
      }
      return stores;
    }
  }
}
