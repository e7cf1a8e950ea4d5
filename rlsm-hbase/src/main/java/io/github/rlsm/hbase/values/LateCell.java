// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.values;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.ExtendedCell;

/**
 * A cell of a scan whose value is read when the scan takes it, and never if it passes over it: an
 * older version, another column, the row after that of a Get.
 *
 * <p>HBase's scanner asks for {@link #heapSize} when it puts a cell into its result, and only then.
 * From there on the cell needs its scanner no more than any other does. A value that is asked for
 * before, by a filter, is read then; one that is first asked for when its scan has ended is refused
 * with an {@link IllegalStateException}.
 *
 * <p>Threads: that of the scan.
 */
public final class LateCell extends CompleteCell {

  /**
   * The cell of a shadow.
   *
   * @param shadow as it is in the key file
   * @param valueLength the length of the value in bytes
   * @param source reads the value
   */
  public LateCell(ExtendedCell shadow, int valueLength, ValueSource source) {
    super(shadow, valueLength, source);
  }

  @Override
  public long heapSize() {
    return complete().heapSize();
  }

  @Override
  public int write(OutputStream out, boolean withTags) throws IOException {
    return complete().write(out, withTags);
  }

  @Override
  public void write(ByteBuffer buf, int offset) {
    complete().write(buf, offset);
  }

  @Override
  public ExtendedCell deepClone() {
    return complete().deepClone();
  }
}
