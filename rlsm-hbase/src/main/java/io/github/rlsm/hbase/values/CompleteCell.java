// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.values;

import io.github.rlsm.hbase.values.ValueReferenceTag.Pointer;
import java.io.IOException;
import java.io.UncheckedIOException;
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
abstract class CompleteCell extends ForwardingCell {

  final Pointer pointer;
  private final ValueSource source;
  private long sequenceId;
  private @Nullable ExtendedCell complete;

  CompleteCell(ExtendedCell shadow, Pointer pointer, ValueSource source) {
    super(shadow);
    this.pointer = pointer;
    this.sequenceId = pointer.sequenceId();
    this.source = source;
  }

  /** The cell with its value. */
  final ExtendedCell complete() {
    ExtendedCell found = complete;
    if (found == null) {
      try {
        found = (ExtendedCell) source.complete(cell, pointer);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      complete = found;
    }
    return found;
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
  public int getTagsOffset() {
    return cell.getTagsOffset() + ValueReferenceTag.BYTES;
  }

  @Override
  public int getTagsLength() {
    return cell.getTagsLength() - ValueReferenceTag.BYTES;
  }

  /** HBase asks for the size of each cell that a scan passes, so it is not computed by parts. */
  @Override
  public int getSerializedSize(boolean withTags) {
    int key =
        cell instanceof KeyValue cached ? cached.getKeyLength() : KeyValueUtil.keyLength(cell);
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
}
