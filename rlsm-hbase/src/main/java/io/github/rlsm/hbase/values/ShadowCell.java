// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.values;

import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.util.ClassSize;

/**
 * A shadow on its way through a compaction that leaves its value where it is: to HBase it is the
 * complete cell, whose value is read when somebody asks for it, as a coprocessor may.
 *
 * <p>Threads: that of the compaction.
 */
public final class ShadowCell extends CompleteCell {

  private static final long FIXED_BYTES =
      ClassSize.align(ClassSize.OBJECT + 4L * ClassSize.REFERENCE + 4);

  private final String file;

  /**
   * The cell of a shadow.
   *
   * @param shadow as it is in the key file
   * @param file the name of the value file
   * @param valueLength the length of the value in bytes
   * @param source reads the value
   */
  public ShadowCell(ExtendedCell shadow, String file, int valueLength, ValueSource source) {
    super(shadow, valueLength, source);
    this.file = file;
  }

  /** The name of the file that its value is in. */
  public String file() {
    return file;
  }

  /** What it takes in a key file, which compactions count and throttle. */
  @Override
  public int getSerializedSize() {
    return PrivateCellUtil.estimatedSerializedSizeOfKey(shadow) + shadow.getTagsLength();
  }

  @Override
  public long heapSize() {
    return FIXED_BYTES + shadow.heapSize();
  }
}
