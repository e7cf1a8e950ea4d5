// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.values;

import io.github.rlsm.hbase.values.ValueReferenceTag.Pointer;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.jspecify.annotations.Nullable;

/**
 * The complete cell that a shadow represents. The key comes from the key file; the value is read on
 * first use.
 *
 * <p>Threads: the scanner's thread. Like any scanner's cells, the cell is valid until its key's
 * block is released.
 */
// HBase deprecates these methods for users, but its own cells must implement them.
@SuppressWarnings("deprecation")
abstract class CompleteCell implements ExtendedCell {

  final ExtendedCell shadow;
  final Pointer pointer;
  private final ValueSource source;
  private long sequenceId;
  private @Nullable ExtendedCell complete;

  CompleteCell(ExtendedCell shadow, Pointer pointer, ValueSource source) {
    // HBase compares this cell through its arrays; an off-heap cell allocates a new array at each
    // call.
    this.shadow = shadow instanceof ByteBufferExtendedCell ? shadow.deepClone() : shadow;
    this.pointer = pointer;
    this.sequenceId = pointer.sequenceId();
    this.source = source;
  }

  /** The cell with its value. */
  final ExtendedCell complete() {
    ExtendedCell found = complete;
    if (found == null) {
      try {
        found = (ExtendedCell) source.complete(shadow, pointer);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      complete = found;
    }
    return found;
  }

  @Override
  public byte[] getRowArray() {
    return shadow.getRowArray();
  }

  @Override
  public int getRowOffset() {
    return shadow.getRowOffset();
  }

  @Override
  public short getRowLength() {
    return shadow.getRowLength();
  }

  @Override
  public byte[] getFamilyArray() {
    return shadow.getFamilyArray();
  }

  @Override
  public int getFamilyOffset() {
    return shadow.getFamilyOffset();
  }

  @Override
  public byte getFamilyLength() {
    return shadow.getFamilyLength();
  }

  @Override
  public byte[] getQualifierArray() {
    return shadow.getQualifierArray();
  }

  @Override
  public int getQualifierOffset() {
    return shadow.getQualifierOffset();
  }

  @Override
  public int getQualifierLength() {
    return shadow.getQualifierLength();
  }

  @Override
  public long getTimestamp() {
    return shadow.getTimestamp();
  }

  @Override
  public byte getTypeByte() {
    return shadow.getTypeByte();
  }

  @Override
  public long getSequenceId() {
    return sequenceId;
  }

  @Override
  public byte[] getValueArray() {
    return complete().getValueArray();
  }

  @Override
  public int getValueOffset() {
    return complete().getValueOffset();
  }

  @Override
  public int getValueLength() {
    return pointer.valueLength();
  }

  @Override
  public byte[] getTagsArray() {
    return shadow.getTagsArray();
  }

  @Override
  public int getTagsOffset() {
    return shadow.getTagsOffset() + ValueReferenceTag.BYTES;
  }

  @Override
  public int getTagsLength() {
    return shadow.getTagsLength() - ValueReferenceTag.BYTES;
  }

  /** HBase asks for the size of each cell that a scan passes, so it is not computed by parts. */
  @Override
  public int getSerializedSize(boolean withTags) {
    int key =
        shadow instanceof KeyValue cached ? cached.getKeyLength() : KeyValueUtil.keyLength(shadow);
    int tags = withTags ? getTagsLength() : 0;
    return KeyValue.KEYVALUE_INFRASTRUCTURE_SIZE
        + key
        + pointer.valueLength()
        + (tags > 0 ? KeyValue.TAGS_LENGTH_SIZE + tags : 0);
  }

  @Override
  public void setSequenceId(long seqId) {
    sequenceId = seqId;
  }

  @Override
  public void setTimestamp(long ts) throws IOException {
    shadow.setTimestamp(ts);
  }

  @Override
  public void setTimestamp(byte[] ts) throws IOException {
    shadow.setTimestamp(ts);
  }
}
