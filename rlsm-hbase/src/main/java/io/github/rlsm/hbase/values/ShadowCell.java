// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.values;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.util.ClassSize;
import org.jspecify.annotations.Nullable;

/**
 * A shadow on its way through a compaction that leaves its value where it is: to HBase it is the
 * complete cell, whose value is read when somebody asks for it, as a coprocessor may.
 *
 * <p>Threads: that of the compaction. It ends with the block its key is in, as any scanner's cells.
 */
// HBase has deprecated for users what its own cells must have.
@SuppressWarnings("deprecation")
public final class ShadowCell implements ExtendedCell {

  private static final long FIXED_BYTES =
      ClassSize.align(ClassSize.OBJECT + 5L * ClassSize.REFERENCE + 12);

  private final ExtendedCell key;
  private final byte[] tags;
  private final String file;
  private final int valueLength;
  private final Source source;
  private @Nullable Cell complete;

  /** Where a value can be read. */
  @FunctionalInterface
  public interface Source {
    /** The complete cell of a shadow. */
    Cell complete(Cell shadow) throws IOException;
  }

  /**
   * The cell of a shadow.
   *
   * @param shadow as it is in the key file
   * @param file the name of the value file
   * @param valueLength the length of the value in bytes
   * @param source reads the value
   */
  public ShadowCell(ExtendedCell shadow, String file, int valueLength, Source source) {
    this.key = shadow;
    this.tags = ShadowTag.ownTags(shadow);
    this.file = file;
    this.valueLength = valueLength;
    this.source = source;
  }

  /** The name of the file that its value is in. */
  public String file() {
    return file;
  }

  private Cell complete() {
    Cell found = complete;
    if (found == null) {
      try {
        found = source.complete(key);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      complete = found;
    }
    return found;
  }

  @Override
  public byte[] getRowArray() {
    return key.getRowArray();
  }

  @Override
  public int getRowOffset() {
    return key.getRowOffset();
  }

  @Override
  public short getRowLength() {
    return key.getRowLength();
  }

  @Override
  public byte[] getFamilyArray() {
    return key.getFamilyArray();
  }

  @Override
  public int getFamilyOffset() {
    return key.getFamilyOffset();
  }

  @Override
  public byte getFamilyLength() {
    return key.getFamilyLength();
  }

  @Override
  public byte[] getQualifierArray() {
    return key.getQualifierArray();
  }

  @Override
  public int getQualifierOffset() {
    return key.getQualifierOffset();
  }

  @Override
  public int getQualifierLength() {
    return key.getQualifierLength();
  }

  @Override
  public long getTimestamp() {
    return key.getTimestamp();
  }

  @Override
  public byte getTypeByte() {
    return key.getTypeByte();
  }

  @Override
  public long getSequenceId() {
    return key.getSequenceId();
  }

  @Override
  public byte[] getValueArray() {
    return CellUtil.cloneValue(complete());
  }

  @Override
  public int getValueOffset() {
    return 0;
  }

  @Override
  public int getValueLength() {
    return valueLength;
  }

  @Override
  public byte[] getTagsArray() {
    return tags;
  }

  @Override
  public int getTagsOffset() {
    return 0;
  }

  @Override
  public int getTagsLength() {
    return tags.length;
  }

  /** What it takes in a key file, which compactions count and throttle. */
  @Override
  public int getSerializedSize() {
    return PrivateCellUtil.estimatedSerializedSizeOfKey(key) + ShadowTag.BYTES + tags.length;
  }

  @Override
  public void setSequenceId(long seqId) throws IOException {
    key.setSequenceId(seqId);
  }

  @Override
  public void setTimestamp(long ts) throws IOException {
    key.setTimestamp(ts);
  }

  @Override
  public void setTimestamp(byte[] ts) throws IOException {
    key.setTimestamp(ts);
  }

  @Override
  public long heapSize() {
    return FIXED_BYTES + key.heapSize() + tags.length;
  }
}
