// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.values;

import java.io.IOException;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.ExtendedCell;

/**
 * A cell that passes each call to another cell. Subclasses change some of its answers.
 *
 * <p>Threads: the scanner's thread. Like any scanner's cells, the cell is valid until the block of
 * the other cell is released.
 */
// HBase deprecates these methods for users, but its own cells must implement them.
@SuppressWarnings("deprecation")
public abstract class ForwardingCell implements ExtendedCell {

  /** The other cell. */
  protected final ExtendedCell cell;

  /**
   * Wraps a cell. HBase compares this cell through its arrays. A cell outside the heap allocates a
   * new array at each such call, so it is copied.
   */
  protected ForwardingCell(ExtendedCell cell) {
    this.cell = cell instanceof ByteBufferExtendedCell ? cell.deepClone() : cell;
  }

  @Override
  public byte[] getRowArray() {
    return cell.getRowArray();
  }

  @Override
  public int getRowOffset() {
    return cell.getRowOffset();
  }

  @Override
  public short getRowLength() {
    return cell.getRowLength();
  }

  @Override
  public byte[] getFamilyArray() {
    return cell.getFamilyArray();
  }

  @Override
  public int getFamilyOffset() {
    return cell.getFamilyOffset();
  }

  @Override
  public byte getFamilyLength() {
    return cell.getFamilyLength();
  }

  @Override
  public byte[] getQualifierArray() {
    return cell.getQualifierArray();
  }

  @Override
  public int getQualifierOffset() {
    return cell.getQualifierOffset();
  }

  @Override
  public int getQualifierLength() {
    return cell.getQualifierLength();
  }

  @Override
  public long getTimestamp() {
    return cell.getTimestamp();
  }

  @Override
  public byte getTypeByte() {
    return cell.getTypeByte();
  }

  @Override
  public long getSequenceId() {
    return cell.getSequenceId();
  }

  @Override
  public byte[] getValueArray() {
    return cell.getValueArray();
  }

  @Override
  public int getValueOffset() {
    return cell.getValueOffset();
  }

  @Override
  public int getValueLength() {
    return cell.getValueLength();
  }

  @Override
  public byte[] getTagsArray() {
    return cell.getTagsArray();
  }

  @Override
  public int getTagsOffset() {
    return cell.getTagsOffset();
  }

  @Override
  public int getTagsLength() {
    return cell.getTagsLength();
  }

  @Override
  public long heapSize() {
    return cell.heapSize();
  }

  @Override
  public void setSequenceId(long seqId) throws IOException {
    cell.setSequenceId(seqId);
  }

  @Override
  public void setTimestamp(long ts) throws IOException {
    cell.setTimestamp(ts);
  }

  @Override
  public void setTimestamp(byte[] ts) throws IOException {
    cell.setTimestamp(ts);
  }
}
