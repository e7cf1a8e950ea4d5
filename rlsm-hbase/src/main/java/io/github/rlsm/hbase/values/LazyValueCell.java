// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.values;

import io.github.rlsm.hbase.values.ValueReferenceTag.Pointer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.ExtendedCell;

/**
 * A cell of a scan whose value is read only when the scan takes the cell. The scan does not read
 * the values of cells it passes over: older versions, other columns, and the row after a Get's row.
 *
 * <p>HBase's scanner calls {@link #heapSize} when, and only when, it adds a cell to its result.
 * From then on the cell is as independent of its scanner as any other cell. If a filter asks for
 * the value earlier, the value is read at that moment. A first request for the value after the scan
 * has ended fails with an {@link IllegalStateException}.
 *
 * <p>Threads: the scan's thread.
 */
public final class LazyValueCell extends CompleteCell {

  /**
   * Creates the cell of a shadow.
   *
   * @param shadow the cell as the key file holds it
   * @param pointer the location of its value
   * @param source reads the value
   */
  public LazyValueCell(ExtendedCell shadow, Pointer pointer, ValueSource source) {
    super(shadow, pointer, source);
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
