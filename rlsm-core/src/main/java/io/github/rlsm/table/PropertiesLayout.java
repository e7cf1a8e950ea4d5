// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import io.github.rlsm.base.KeyBounds;
import io.github.rlsm.base.LittleEndian;
import io.github.rlsm.base.SeqnoRange;
import io.github.rlsm.table.TableProperties.SegmentUse;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The byte layout of a table's properties block (FORMAT.md, "Table", "Properties").
 *
 * <pre>
 * | offset | size | type | name           | meaning, valid range                               |
 * |      0 |    8 | u64  | entries        | 1 or more                                          |
 * |      8 |    8 | u64  | tombstones     |                                                    |
 * |     16 |    8 | u64  | pointers       | tombstones + pointers ≤ entries                    |
 * |     24 |    8 | u64  | minSeqno       |                                                    |
 * |     32 |    8 | u64  | maxSeqno       | minSeqno or more, less than 2^63                   |
 * |     40 |    8 | u64  | keyBytes       | sum of the keys' lengths                           |
 * |     48 |    8 | u64  | valueBytes     | sum of the values' lengths, pointers not counted   |
 * |     56 |    4 | u32  | segmentCount   |                                                    |
 * |     60 |    2 | u16  | smallestLength | 1 or more                                          |
 * |     62 |    2 | u16  | largestLength  | 1 or more                                          |
 * |     64 |      |      | smallestKey    |                                                    |
 * |        |      |      | largestKey     |                                                    |
 * |        | 28 n |      | segments       | ascending, see below                               |
 * </pre>
 *
 * <p>The use of a segment:
 *
 * <pre>
 * | offset | size | type | name           | meaning, valid range                               |
 * |      0 |    4 | u32  | segment        | its number                                         |
 * |      4 |    8 | u64  | pointers       | 1 or more                                          |
 * |     12 |    8 | u64  | gaps           | 1 to pointers                                      |
 * |     20 |    8 | u64  | valueBytes     |                                                    |
 * </pre>
 *
 * <p>The checksum of the block is in the footer.
 *
 * <p>DO NOT CHANGE: these bytes are on disk. A new layout gets a new format version. FORMAT.md:
 * "Properties".
 */
final class PropertiesLayout {

  private static final int ENTRIES = 0;
  private static final int TOMBSTONES = 8;
  private static final int POINTERS = 16;
  private static final int MIN_SEQNO = 24;
  private static final int MAX_SEQNO = 32;
  private static final int KEY_BYTES = 40;
  private static final int VALUE_BYTES = 48;
  private static final int SEGMENT_COUNT = 56;
  private static final int SMALLEST_LENGTH = 60;
  private static final int LARGEST_LENGTH = 62;
  private static final int KEYS = 64;

  // Offsets in the use of a segment.
  private static final int SEGMENT = 0;
  private static final int SEGMENT_POINTERS = 4;
  private static final int SEGMENT_GAPS = 12;
  private static final int SEGMENT_VALUE_BYTES = 20;
  private static final int SEGMENT_BYTES = 28;

  private PropertiesLayout() {}

  static byte[] encode(TableProperties properties) {
    byte[] smallest = properties.keys().smallest();
    byte[] largest = properties.keys().largest();
    List<SegmentUse> segments = properties.segments();
    int segmentsStart = KEYS + smallest.length + largest.length;
    byte[] block = new byte[segmentsStart + SEGMENT_BYTES * segments.size()];
    LittleEndian.putLong(block, ENTRIES, properties.entries());
    LittleEndian.putLong(block, TOMBSTONES, properties.tombstones());
    LittleEndian.putLong(block, POINTERS, properties.pointers());
    LittleEndian.putLong(block, MIN_SEQNO, properties.seqnos().min());
    LittleEndian.putLong(block, MAX_SEQNO, properties.seqnos().max());
    LittleEndian.putLong(block, KEY_BYTES, properties.keyBytes());
    LittleEndian.putLong(block, VALUE_BYTES, properties.valueBytes());
    LittleEndian.putInt(block, SEGMENT_COUNT, segments.size());
    LittleEndian.putShort(block, SMALLEST_LENGTH, smallest.length);
    LittleEndian.putShort(block, LARGEST_LENGTH, largest.length);
    System.arraycopy(smallest, 0, block, KEYS, smallest.length);
    System.arraycopy(largest, 0, block, KEYS + smallest.length, largest.length);
    int at = segmentsStart;
    for (SegmentUse use : segments) {
      LittleEndian.putInt(block, at + SEGMENT, use.segment());
      LittleEndian.putLong(block, at + SEGMENT_POINTERS, use.pointers());
      LittleEndian.putLong(block, at + SEGMENT_GAPS, use.gaps());
      LittleEndian.putLong(block, at + SEGMENT_VALUE_BYTES, use.valueBytes());
      at += SEGMENT_BYTES;
    }
    return block;
  }

  /** Reads the block; null if its {@code length} bytes are inconsistent. */
  static @Nullable TableProperties decode(ByteBuffer buffer, int block, int length) {
    if (length < KEYS) {
      return null;
    }
    int smallestLength = LittleEndian.getUnsignedShort(buffer, block + SMALLEST_LENGTH);
    int largestLength = LittleEndian.getUnsignedShort(buffer, block + LARGEST_LENGTH);
    long segmentCount = LittleEndian.getMappedInt(buffer, block + SEGMENT_COUNT) & 0xFFFF_FFFFL;
    int segmentsStart = KEYS + smallestLength + largestLength;
    if (segmentsStart + SEGMENT_BYTES * segmentCount != length) {
      return null;
    }
    List<SegmentUse> segments = new ArrayList<>((int) segmentCount);
    for (int at = block + segmentsStart; at < block + length; at += SEGMENT_BYTES) {
      segments.add(new SegmentUse(
          LittleEndian.getMappedInt(buffer, at + SEGMENT),
          LittleEndian.getLong(buffer, at + SEGMENT_POINTERS),
          LittleEndian.getLong(buffer, at + SEGMENT_GAPS),
          LittleEndian.getLong(buffer, at + SEGMENT_VALUE_BYTES)));
    }
    TableProperties properties = new TableProperties(
        new TableProperties.Counts(
            LittleEndian.getLong(buffer, block + ENTRIES),
            LittleEndian.getLong(buffer, block + TOMBSTONES),
            LittleEndian.getLong(buffer, block + POINTERS)),
        new SeqnoRange(
            LittleEndian.getLong(buffer, block + MIN_SEQNO),
            LittleEndian.getLong(buffer, block + MAX_SEQNO)),
        new KeyBounds(
            bytes(buffer, block + KEYS, smallestLength),
            bytes(buffer, block + KEYS + smallestLength, largestLength)),
        LittleEndian.getLong(buffer, block + KEY_BYTES),
        LittleEndian.getLong(buffer, block + VALUE_BYTES),
        segments);
    return isPlausible(properties) ? properties : null;
  }

  private static boolean isPlausible(TableProperties properties) {
    return properties.keys().smallest().length > 0
        && properties.keys().largest().length > 0
        && properties.entries() > 0
        && properties.tombstones() >= 0
        && properties.tombstones() <= properties.entries()
        && properties.pointers() >= 0
        && properties.pointers() <= properties.entries() - properties.tombstones()
        && properties.seqnos().min() >= 0
        && properties.seqnos().min() <= properties.seqnos().max()
        && properties.keyBytes() > 0
        && properties.valueBytes() >= 0
        && properties.segments().stream().allMatch(PropertiesLayout::isPlausible);
  }

  private static boolean isPlausible(SegmentUse use) {
    return use.segment() > 0
        && use.pointers() > 0
        && use.gaps() > 0
        && use.gaps() <= use.pointers()
        && use.valueBytes() >= 0;
  }

  private static byte[] bytes(ByteBuffer buffer, int offset, int length) {
    byte[] bytes = new byte[length];
    buffer.get(offset, bytes);
    return bytes;
  }
}
