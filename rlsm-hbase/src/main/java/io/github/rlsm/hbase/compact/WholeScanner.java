// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.compact;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.KeyValueHeap;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;

/**
 * Returns every cell of some files in order, including old versions and deleted or expired cells.
 * Key files may still hold shadows of these cells, and only the shadows decide whether a value is
 * dead.
 *
 * <p>Threads: the compaction's thread.
 */
final class WholeScanner implements InternalScanner, Shipper {

  /** Large enough to save HBase's loop some iterations, small compared with a block. */
  private static final int BATCH_BYTES = 16 << 10;

  private final KeyValueHeap cells;

  /** Takes ownership of the scanners and seeks them to their first cell. */
  WholeScanner(List<StoreFileScanner> scanners, CellComparator comparator) throws IOException {
    Cell first = PrivateCellUtil.createFirstOnRow(HConstants.EMPTY_START_ROW);
    for (StoreFileScanner scanner : scanners) {
      scanner.seek(first);
    }
    cells = new KeyValueHeap(scanners, comparator);
  }

  @Override
  public boolean next(List<Cell> result, ScannerContext context) throws IOException {
    int bytes = 0;
    Cell cell = cells.peek();
    while (cell != null && bytes < BATCH_BYTES) {
      result.add(cells.next());
      bytes += cell.getSerializedSize();
      cell = cells.peek();
    }
    return cell != null;
  }

  @Override
  public void shipped() throws IOException {
    cells.shipped();
  }

  @Override
  public void close() {
    cells.close();
  }
}
