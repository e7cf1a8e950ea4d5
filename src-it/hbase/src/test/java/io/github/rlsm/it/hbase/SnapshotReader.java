// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it.hbase;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableSnapshotScanner;

/**
 * A client that reads a snapshot from its files, without a server, as MapReduce jobs do. It names
 * no class of the engine. Arguments: the root folder of HBase, the name of the snapshot, and a
 * folder for the restored regions. It prints the number of rows and the bytes of their values.
 */
public final class SnapshotReader {

  static final String FOUND = "found ";

  private SnapshotReader() {}

  /** Reads the snapshot; the exit code is not 0 if this fails. */
  public static void main(String[] arguments) throws IOException {
    Configuration conf = HBaseConfiguration.create();
    conf.set(HConstants.HBASE_DIR, arguments[0]);
    conf.set("fs.defaultFS", "file:///");
    long rows = 0;
    long bytes = 0;
    try (TableSnapshotScanner scanner =
        new TableSnapshotScanner(conf, new Path(arguments[2]), arguments[1], new Scan())) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        rows++;
        for (Cell cell : row.rawCells()) {
          bytes += CellUtil.cloneValue(cell).length;
        }
      }
    }
    System.out.println(FOUND + rows + " rows, " + bytes + " bytes");
  }
}
