// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.hbase.preflight.ServerProbe;
import io.github.rlsm.it.hbase.InstalledHBase.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The preflight command on a cluster with a region server that lacks the jar. */
@EnabledForJreRange(
    max = JRE.JAVA_22,
    disabledReason = "HBase 2.6.1 brings a Hadoop whose UserGroupInformation calls"
        + " Subject.getSubject, which Java 23 and later refuse (HADOOP-19212)")
class PreflightServersTest {

  private static final TableName TABLE = TableName.valueOf("orders");
  private static final String COMMAND =
      "\"$HBASE_HOME/bin/hbase\" io.github.rlsm.hbase.preflight.Preflight orders";
  private static final int SECONDS_MAX = 60;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path temporary;

  @Test
  void serversThatLackTheJarAreNamed() throws Exception {
    try (InstalledHBase hbase = new InstalledHBase(temporary)) {
      Files.copy(InstalledHBase.dropIn(), hbase.installed());
      hbase.server().start();
      try (Connection connection =
              ConnectionFactory.createConnection(hbase.server().client());
          Admin admin = connection.getAdmin()) {
        admin.balancerSwitch(false, true);
        admin.createTable(TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(LinkedRows.FAMILY))
            .build());
        ServerName first = awaitServers(admin, 1).iterator().next();
        Ended alone = hbase.bash(COMMAND);
        assertThat(alone.code()).as(alone.output()).isZero();
        assertThat(alone.output())
            .contains("the master: HBase 2.6.", "server " + first + ": HBase 2.6.x, can load");

        assertThatThrownBy(() -> probe(connection, "9."))
            .isInstanceOf(DoNotRetryIOException.class)
            .hasMessageContaining("DeserializationException: HBase 2.6.");
        probe(connection, "2.6.");

        Process process = hbase.startRegionServerWithoutJar();
        try {
          ServerName second = awaitServers(admin, 2).stream()
              .filter(server -> !server.equals(first))
              .findFirst()
              .orElseThrow();
          Ended empty = hbase.bash(COMMAND);
          assertThat(empty.code()).as(empty.output()).isEqualTo(1);
          assertThat(empty.output()).contains("PROBLEM: server " + second + " has no region");

          move(admin, second);
          Ended lacking = hbase.bash(COMMAND);
          assertThat(lacking.code()).as(lacking.output()).isEqualTo(1);
          assertThat(lacking.output())
              .contains("server " + first + ": HBase 2.6.x, can load")
              .contains("PROBLEM: server " + second + " cannot load the engine")
              .contains("ClassNotFoundException: io.github.rlsm.hbase.")
              .doesNotContain("alter 'orders'");
        } finally {
          process.destroyForcibly().onExit().join();
        }
      }
    }
  }

  /** Reads through the probe, as the command does for a release line of HBase. */
  private static void probe(Connection connection, String line) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      ServerProbe probe = new ServerProbe("io.github.rlsm.hbase.RlsmStoreEngine", line);
      assertThat(table.get(new Get(new byte[1]).setFilter(probe)).isEmpty()).isTrue();
    }
  }

  private static Collection<ServerName> awaitServers(Admin admin, int count) throws Exception {
    Collection<ServerName> servers = admin.getRegionServers();
    for (int i = 0; i < SECONDS_MAX && servers.size() < count; i++) {
      LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
      servers = admin.getRegionServers();
    }
    assertThat(servers).hasSize(count);
    return servers;
  }

  /** HBase may choose another server of the same host, so a move is repeated until it succeeds. */
  private static void move(Admin admin, ServerName server) throws Exception {
    byte[] region = admin.getRegions(TABLE).get(0).getEncodedNameAsBytes();
    for (int i = 0; i < SECONDS_MAX && admin.getRegions(server).isEmpty(); i++) {
      admin.move(region, server);
      LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
    }
    assertThat(admin.getRegions(server)).hasSize(1);
  }
}
