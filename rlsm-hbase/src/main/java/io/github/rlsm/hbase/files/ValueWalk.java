// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import io.github.rlsm.hbase.values.ValueReferenceTag.Pointer;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.WritableUtils;
import org.jspecify.annotations.Nullable;

/**
 * Finds cells of a value file in ascending order, for one scan of neighbouring rows. It searches
 * the index for the first cell, and then walks through the bytes of the file from cell to cell. The
 * bytes of a block come from the block cache, or from {@link ReadAhead} together with those of the
 * following blocks.
 *
 * <p>HBase's scanner reads and verifies each block by itself, and a block of values is small
 * (decision 47). The walk does not verify checksums of blocks. So a cell counts as found only if
 * its key, its tags and its sequence id are those of the shadow. Its value must have the checksum
 * that the shadow names, unless HBase has verified the block. If not, the caller uses HBase's
 * scanner, which reports damage.
 *
 * <p>Threads: the scan's thread.
 */
final class ValueWalk {

  /** A walk passes this many cells that the scan does not need, before it searches the index. */
  private static final int PASSED_MAX = 64;

  /** Blocks of the index or of Bloom filters that may follow each other. */
  private static final int OTHER_BLOCKS_MAX = 4;

  /** The largest size of a stored sequence id. */
  private static final int SEQUENCE_ID_MAX = 9;

  /** The first bytes of a block of cells. */
  private static final byte[] MAGIC = magic();

  /** No position. */
  static final long NOWHERE = -1;

  private final Blocks blocks;
  private final ReadAhead ahead;
  private final long lastBlock;
  private final boolean hasTags;

  /** The position of the next cell. */
  private long at = NOWHERE;

  /** The end of the cells of its block. */
  private long cellsEnd;

  private long nextBlock;

  /** The sequence id of the cell that was loaded last, which is stored behind it. */
  private long sequenceId;

  /** The position behind this cell. */
  private long next;

  /** The blocks of a file, for the window of a scan. */
  interface Blocks {

    /**
     * Searches the index for the block that may have a cell, and brings the block into the window.
     *
     * @return its position; {@link ValueWalk#NOWHERE} if the file has no cells, or HBase is
     *     replacing its stream
     */
    long find(ExtendedCell cell) throws IOException;

    /** Brings the block at a position into the window if it is in the block cache. */
    void bring(long position);

    /** Notes that the walk enters a block of cells of the window, which may be damaged. */
    void entered(long position, long bytes) throws IOException;
  }

  /**
   * Creates a walk that has not begun.
   *
   * @param lastBlock the position of the last block of cells
   */
  ValueWalk(Blocks blocks, ReadAhead ahead, long lastBlock, HFileContext format) {
    this.blocks = blocks;
    this.ahead = ahead;
    this.lastBlock = lastBlock;
    this.hasTags = format.isIncludesTags();
  }

  private static byte[] magic() {
    byte[] magic = new byte[BlockType.MAGIC_LENGTH];
    BlockType.DATA.put(magic, 0);
    return magic;
  }

  /**
   * Finds the cell of a shadow.
   *
   * @return null if it is not where its key belongs, or is damaged
   */
  @Nullable
  KeyValue find(ExtendedCell shadow, Pointer pointer) throws IOException {
    KeyValue found = at == NOWHERE ? null : walkTo(shadow, pointer);
    if (found != null) {
      return found;
    }
    long position = blocks.find(shadow);
    if (position != NOWHERE && enter(position) && isOfCells(position)) {
      blocks.entered(position, nextBlock - position);
      found = walkTo(shadow, pointer);
    }
    if (found == null) {
      at = NOWHERE;
    }
    return found;
  }

  private @Nullable KeyValue walkTo(ExtendedCell shadow, Pointer pointer) throws IOException {
    int expected = PlacedCell.bytes(shadow, pointer);
    for (int passed = 0; passed <= PASSED_MAX; passed++) {
      if (at == cellsEnd && !enterNext()) {
        return null;
      }
      int bytes = loadCell(expected);
      if (bytes == 0) {
        return null;
      }
      int index = ahead.indexOf(at);
      boolean isWanted = PlacedCell.hasKey(ahead.window(), index, shadow);
      if (isWanted && sequenceId == pointer.sequenceId()) {
        at = next;
        return bytes == expected && PlacedCell.hasTags(ahead.window(), index + bytes, shadow)
            ? PlacedCell.verified(ahead, index, bytes, pointer)
            : null;
      }
      if (!isWanted && !isBefore(index, bytes, shadow)) {
        return null;
      }
      at = next;
    }
    return null;
  }

  private boolean isBefore(int index, int bytes, ExtendedCell shadow) {
    KeyValue cell = PlacedCell.of(ahead.window(), index, bytes);
    return cell != null
        && PrivateCellUtil.compareKeyIgnoresMvcc(CellComparatorImpl.COMPARATOR, cell, shadow) < 0;
  }

  /**
   * Loads the next cell, with its tags and its sequence id.
   *
   * @param expected the size that it probably has
   * @return its size with tags; 0 if it does not fit into its block, or HBase is replacing the
   *     stream
   */
  private int loadCell(int expected) throws IOException {
    long rest = cellsEnd - at;
    if (rest < KeyValue.KEYVALUE_INFRASTRUCTURE_SIZE
        || !ahead.load(at, (int) Math.min(rest, expected + (long) SEQUENCE_ID_MAX))) {
      return 0;
    }
    long keyBytes = Bytes.toInt(ahead.window(), ahead.indexOf(at));
    long valueBytes = Bytes.toInt(ahead.window(), ahead.indexOf(at) + Integer.BYTES);
    long end = KeyValue.KEYVALUE_INFRASTRUCTURE_SIZE + keyBytes + valueBytes;
    if (keyBytes < KeyValue.KEY_INFRASTRUCTURE_SIZE || valueBytes < 0) {
      return 0;
    }
    long bytes = end;
    if (hasTags) {
      end += KeyValue.TAGS_LENGTH_SIZE;
      if (!loaded(end, rest)) {
        return 0;
      }
      int tags = Bytes.toShort(ahead.window(), ahead.indexOf(at + end - KeyValue.TAGS_LENGTH_SIZE))
          & 0xffff;
      end += tags;
      bytes = tags == 0 ? bytes : end;
    }
    if (!loaded(end + 1, rest)) {
      return 0;
    }
    int width = WritableUtils.decodeVIntSize(ahead.window()[ahead.indexOf(at + end)]);
    if (!loaded(end + width, rest)) {
      return 0;
    }
    sequenceId = Bytes.readAsVLong(ahead.window(), ahead.indexOf(at + end));
    next = at + end + width;
    return (int) bytes;
  }

  private boolean loaded(long bytes, long rest) throws IOException {
    return bytes <= rest && ahead.load(at, (int) bytes);
  }

  /** Moves to the first cell of the next block of cells. */
  private boolean enterNext() throws IOException {
    for (int i = 0; i <= OTHER_BLOCKS_MAX && nextBlock <= lastBlock; i++) {
      long position = nextBlock;
      blocks.bring(position);
      if (!enter(position)) {
        return false;
      }
      if (isOfCells(position)) {
        blocks.entered(position, nextBlock - position);
        return true;
      }
      at = cellsEnd;
    }
    return false;
  }

  /** Moves to the first cell of a block; false if the sizes in its header cannot be right. */
  private boolean enter(long position) throws IOException {
    if (!ahead.load(position, HConstants.HFILEBLOCK_HEADER_SIZE)) {
      return false;
    }
    int header = ahead.indexOf(position);
    int headerEnd = header + HConstants.HFILEBLOCK_HEADER_SIZE;
    long onDisk = Bytes.toInt(ahead.window(), header + BlockType.MAGIC_LENGTH);
    long ofCells = Bytes.toInt(ahead.window(), headerEnd - Integer.BYTES);
    at = position + HConstants.HFILEBLOCK_HEADER_SIZE;
    cellsEnd = position + ofCells;
    nextBlock = at + onDisk;
    return onDisk >= 0 && cellsEnd >= at && cellsEnd <= nextBlock;
  }

  private boolean isOfCells(long position) {
    int header = ahead.indexOf(position);
    return Arrays.equals(ahead.window(), header, header + MAGIC.length, MAGIC, 0, MAGIC.length);
  }
}
