// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.write;

import io.github.rlsm.hbase.values.ValueReferenceTag;
import java.io.IOException;
import java.util.zip.CRC32C;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.io.WritableUtils;
import org.jspecify.annotations.Nullable;

/**
 * The offsets of cells in the HFile that is being written, one cell after the other.
 *
 * <p>HBase tells how far a file is written, which is the beginning of the block that is still in
 * memory. A cell that has just been added is in this block. The block has a header and then its
 * cells, whose sizes are known if they are neither compressed nor encoded. If a later version of
 * HBase writes other bytes, the offsets are wrong. Then readers find other bytes there, and search
 * the cell by its key.
 *
 * <p>Threads: the writer's thread.
 */
public final class CellOffsets {

  private final boolean isPlain;
  private final boolean hasSequenceIds;
  private final boolean hasTags;
  private @Nullable StoreFileWriter file;
  private long block = -1;
  private long next;

  /**
   * Creates the offsets of a file's cells.
   *
   * @param isPlain whether cells are neither compressed, encoded nor encrypted; otherwise their
   *     offsets stay unknown
   * @param hasSequenceIds whether the file holds the sequence ids of cells
   * @param hasTags whether the file holds the tags of cells
   */
  CellOffsets(boolean isPlain, boolean hasSequenceIds, boolean hasTags) {
    this.isPlain = isPlain;
    this.hasSequenceIds = hasSequenceIds;
    this.hasTags = hasTags;
  }

  /**
   * Returns the offset of a cell that was just added to a file. Call this for each cell.
   *
   * @return the offset, or {@link ValueReferenceTag#UNKNOWN_OFFSET}
   */
  @SuppressWarnings("ReferenceEquality") // each file has its own writer
  long of(StoreFileWriter writer, ExtendedCell cell) throws IOException {
    if (!isPlain) {
      return ValueReferenceTag.UNKNOWN_OFFSET;
    }
    long written = writer.getPos();
    if (writer != file || written != block) {
      file = writer;
      block = written;
      next = written + HConstants.HFILEBLOCK_HEADER_SIZE;
    }
    long offset = next;
    next += cell.getSerializedSize(false)
        + (hasTags ? Short.BYTES + cell.getTagsLength() : 0)
        + (hasSequenceIds ? WritableUtils.getVIntSize(cell.getSequenceId()) : 0);
    return Math.min(offset, ValueReferenceTag.UNKNOWN_OFFSET);
  }

  /** The CRC32C of a cell's value. */
  static int checksum(Cell cell) {
    CRC32C crc = new CRC32C();
    if (cell instanceof ByteBufferExtendedCell buffered) {
      int at = buffered.getValuePosition();
      crc.update(buffered
          .getValueByteBuffer()
          .duplicate()
          .limit(at + cell.getValueLength())
          .position(at));
    } else {
      crc.update(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
    }
    return (int) crc.getValue();
  }
}
