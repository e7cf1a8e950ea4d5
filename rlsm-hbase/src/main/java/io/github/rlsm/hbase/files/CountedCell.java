// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import io.github.rlsm.hbase.values.ForwardingCell;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.ExtendedCell;

/**
 * A cell that counts itself when a Get adds it to its result. HBase's scanner calls
 * {@link #heapSize} when, and only when, it does so. No other caller gets the cell before, since a
 * Get with a filter has no such cells.
 *
 * <p>Threads: the scan's thread.
 */
final class CountedCell extends ForwardingCell {

  private final FoundVersions found;

  CountedCell(ExtendedCell cell, FoundVersions found) {
    super(cell);
    this.found = found;
  }

  @Override
  public long heapSize() {
    found.add(cell);
    return cell.heapSize();
  }

  @Override
  public int getSerializedSize(boolean withTags) {
    return cell.getSerializedSize(withTags);
  }

  @Override
  public int write(OutputStream out, boolean withTags) throws IOException {
    return cell.write(out, withTags);
  }

  @Override
  public void write(ByteBuffer buf, int offset) {
    cell.write(buf, offset);
  }

  @Override
  public ExtendedCell deepClone() {
    return cell.deepClone();
  }
}
