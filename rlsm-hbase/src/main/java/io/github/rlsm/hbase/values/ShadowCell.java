// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.values;

import io.github.rlsm.hbase.values.ValueReferenceTag.Pointer;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.util.ClassSize;

/**
 * A shadow that passes through a compaction and leaves its value where it is. To HBase it is the
 * complete cell. The value is read only on request, for example by a coprocessor.
 *
 * <p>Threads: the compaction's thread.
 */
public final class ShadowCell extends CompleteCell {

  private static final long FIXED_BYTES =
      ClassSize.align(ClassSize.OBJECT + 5L * ClassSize.REFERENCE + 8);

  private final String file;

  /**
   * Creates the cell of a shadow.
   *
   * @param shadow the cell as the key file holds it
   * @param file the name of the value file
   * @param pointer the location of its value
   * @param source reads the value
   */
  public ShadowCell(ExtendedCell shadow, String file, Pointer pointer, ValueSource source) {
    super(shadow, pointer, source);
    this.file = file;
  }

  /** The name of the file that holds the value. */
  public String file() {
    return file;
  }

  /** The location of the value. */
  public Pointer pointer() {
    return pointer;
  }

  /** The size in a key file, which compactions count and throttle. */
  @Override
  public int getSerializedSize() {
    return PrivateCellUtil.estimatedSerializedSizeOfKey(cell) + cell.getTagsLength();
  }

  @Override
  public long heapSize() {
    return FIXED_BYTES + cell.heapSize();
  }
}
