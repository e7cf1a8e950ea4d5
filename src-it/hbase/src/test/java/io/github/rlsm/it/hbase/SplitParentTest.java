// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.bench.hbase.server.StandaloneHBase;
import io.github.rlsm.hbase.RlsmStoreEngine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.DefaultStoreEngine;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Shows why an {@code alter} through HBase's blocking client may take minutes after a restart of
 * the master, with any store engine. A split region stays in hbase:meta until its daughters no
 * longer need its files. In the memory of the master that split it, its state is SPLIT. To the next
 * master it is CLOSED, as {@code AssignmentManager.markRegionAsSplit} says. {@code getReopenStatus}
 * counts a CLOSED region as not reopened yet, and the client waits until it counts none.
 */
@EnabledForJreRange(
    max = JRE.JAVA_22,
    disabledReason = "HBase 2.6.1 brings a Hadoop whose UserGroupInformation calls"
        + " Subject.getSubject, which Java 23 and later refuse (HADOOP-19212)")
@EnabledIfSystemProperty(
    named = "rlsm.hbase.kills",
    matches = "[1-9][0-9]*",
    disabledReason = "starts HBase servers as an operator would; enable it with -Drlsm.hbase.kills")
class SplitParentTest {

  private static final TableName TABLE = TableName.valueOf("t");
  private static final List<String> JVM =
      List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-ea");

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path temporary;

  @ParameterizedTest
  @ValueSource(classes = {DefaultStoreEngine.class, RlsmStoreEngine.class})
  void splitParentCountsAsNotReopenedAfterRestart(Class<?> engine) throws Exception {
    try (StandaloneHBase server = new StandaloneHBase(temporary, Map.of(), JVM)) {
      server.start();
      try (Connection connection = ConnectionFactory.createConnection(server.client());
          AsyncConnection async =
              ConnectionFactory.createAsyncConnection(server.client()).get();
          Admin admin = connection.getAdmin()) {
        LinkedRows rows = new LinkedRows(TABLE, new Random(1), 400, 1);
        TableDescriptor table = TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(LinkedRows.FAMILY))
            .setValue(StoreEngine.STORE_ENGINE_CLASS_KEY, engine.getName())
            .build();
        admin.createTable(table);
        rows.write(connection, 50, 100);
        split(admin);
        assertThat(notReopened(admin)).isZero();
        server.kill();
        server.start();
        assertThat(rows.problems(connection)).isEmpty();
        assertThat(notReopened(admin)).isEqualTo(1);
        // This client waits for the master's procedure, which does not wait for that region.
        async
            .getAdmin()
            .modifyTable(TableDescriptorBuilder.newBuilder(table)
                .setValue("key", "value")
                .build())
            .get();
        assertThat(notReopened(admin)).isEqualTo(1);
        assertThat(rows.problems(connection)).isEmpty();
      }
    }
  }

  /** With compactions off, daughters continue to need their parent's files. */
  private static void split(Admin admin) throws Exception {
    admin.flush(TABLE);
    admin.compactionSwitch(false, List.of());
    admin.splitRegionAsync(admin.getRegions(TABLE).get(0).getRegionName()).get();
    assertThat(admin.getRegions(TABLE)).hasSize(2);
  }

  /** The number that HBase's blocking client waits for to become zero. */
  @SuppressWarnings("deprecation")
  private static int notReopened(Admin admin) throws IOException {
    return admin.getAlterStatus(TABLE).getFirst();
  }
}
