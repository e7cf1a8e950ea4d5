// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it.hbase;

import io.github.rlsm.bench.hbase.server.ChildJvm;
import io.github.rlsm.hbase.RlsmStoreEngine;
import io.github.rlsm.hbase.config.StoreSettings;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.apache.hadoop.hbase.snapshot.ExportSnapshot;
import org.apache.hadoop.util.ToolRunner;

/**
 * A program that exports a snapshot, removes the table with all of its files, imports the snapshot
 * and checks all rows. Its argument is the length from which on values are separated, or 0. The
 * exit code is 0 if nothing was lost.
 */
public final class ExportedSnapshot {

  private static final TableName TABLE = TableName.valueOf("exported");
  private static final String SNAPSHOT = "snapshot";
  private static final int BATCHES = 20;
  private static final int BATCH = 100;
  private static final int PADDING_BYTES = 2_000;

  private final HBaseTestingUtility cluster = new HBaseTestingUtility();
  private final LinkedRows rows = new LinkedRows(TABLE, new Random(1), PADDING_BYTES, BATCH / 2);

  private ExportedSnapshot() {}

  /** Runs with separation of values of the length in the first argument. */
  public static void main(String[] arguments) {
    ChildJvm.runAndHalt(
        "the export failed", () -> new ExportedSnapshot().run(Integer.parseInt(arguments[0])));
  }

  private void run(int separatedBytesMin) throws Exception {
    Configuration conf = cluster.getConfiguration();
    conf.set("mapreduce.framework.name", "local");
    cluster.startMiniCluster(1);
    Connection connection = cluster.getConnection();
    Admin admin = connection.getAdmin();
    admin.createTable(TableDescriptorBuilder.newBuilder(TABLE)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(LinkedRows.FAMILY))
        .setValue(StoreEngine.STORE_ENGINE_CLASS_KEY, RlsmStoreEngine.class.getName())
        .setValue(StoreSettings.SEPARATED_BYTES, Integer.toString(separatedBytesMin))
        .build());
    for (int i = 0; i < BATCHES; i++) {
      rows.write(connection, 1, BATCH);
      admin.flush(TABLE);
    }
    admin.snapshot(SNAPSHOT, TABLE);
    Path root = cluster.getDefaultRootDirPath();
    Path outside = new Path(root.getParent(), "export");
    copy(root, outside);
    admin.disableTable(TABLE);
    admin.deleteTable(TABLE);
    admin.deleteSnapshot(SNAPSHOT);
    // Otherwise the import could find files that the deleted table left there.
    cluster.getTestFileSystem().delete(new Path(root, HConstants.HFILE_ARCHIVE_DIRECTORY), true);
    copy(outside, root);
    admin.cloneSnapshot(SNAPSHOT, TABLE);
    check("after the import", separatedBytesMin > 0);
    // Unlike the request of a client, this ends after the compaction.
    cluster.compact(TABLE, true);
    check("after a major compaction", separatedBytesMin > 0);
  }

  private void copy(Path from, Path to) throws Exception {
    String[] arguments = {
      "-snapshot", SNAPSHOT, "-copy-from", from.toString(), "-copy-to", to.toString()
    };
    int code = ToolRunner.run(cluster.getConfiguration(), new ExportSnapshot(), arguments);
    if (code != 0) {
      throw new IOException("ExportSnapshot from " + from + " to " + to + " ended with " + code);
    }
  }

  private void check(String when, boolean separated) throws IOException {
    LoadedCluster.checkSeparation(cluster, TABLE, separated);
    List<String> problems = rows.problems(cluster.getConnection());
    System.out.println(when + ": " + rows.count() + " rows, " + problems.size() + " problems");
    if (!problems.isEmpty()) {
      throw new IOException(when + ": " + problems.get(0));
    }
  }
}
