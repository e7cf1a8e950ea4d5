// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.bench.hbase.server.StandaloneHBase;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Snapshots of a table with separated values, read by a client that does not have the engine's jar.
 * The client fails with the name of the engine. If the table was altered to HBase's engine before
 * the snapshot, it reads every row.
 */
@EnabledForJreRange(
    max = JRE.JAVA_22,
    disabledReason = "HBase 2.6.1 brings a Hadoop whose UserGroupInformation calls"
        + " Subject.getSubject, which Java 23 and later refuse (HADOOP-19212)")
class SnapshotWithoutJarTest {

  private static final TableName TABLE = TableName.valueOf("t");
  private static final List<String> JVM =
      List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-ea");
  private static final String ENGINE_KEY = "hbase.hstore.engine.class";
  private static final String ENGINE = "io.github.rlsm.hbase.RlsmStoreEngine";
  private static final String OWN = "org.apache.hadoop.hbase.regionserver.DefaultStoreEngine";
  private static final int BATCHES = 10;
  private static final int BATCH = 100;
  private static final int PADDING_BYTES = 2_000;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path temporary;

  private static TableDescriptor table(String engine) {
    return TableDescriptorBuilder.newBuilder(TABLE)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(LinkedRows.FAMILY))
        .setValue(ENGINE_KEY, engine)
        .setValue("hbase.rlsm.separated.value.bytes.min", Integer.toString(PADDING_BYTES / 2))
        .build();
  }

  @Test
  void clientWithoutTheJarNeedsATableOfHBasesEngine() throws Exception {
    Path root;
    try (StandaloneHBase server = new StandaloneHBase(temporary, Map.of(), JVM)) {
      root = server.data();
      server.start();
      try (Connection connection = ConnectionFactory.createConnection(server.client());
          Admin admin = connection.getAdmin()) {
        admin.createTable(table(ENGINE));
        LinkedRows rows = new LinkedRows(TABLE, new Random(1), PADDING_BYTES, BATCH / 2);
        for (int i = 0; i < BATCHES; i++) {
          rows.write(connection, 1, BATCH);
          admin.flush(TABLE);
        }
        admin.snapshot("with", TABLE);
        admin.modifyTable(table(OWN));
        admin.snapshot("without", TABLE);
      }
    }
    String withJar = read(root, "with", true);
    assertThat(withJar).contains(SnapshotReader.FOUND + BATCHES * BATCH + " rows");
    assertThat(read(root, "with", false))
        .contains("Unable to load configured store engine '" + ENGINE + "'")
        .doesNotContain(SnapshotReader.FOUND);
    assertThat(found(read(root, "without", false))).isEqualTo(found(withJar));
  }

  private static String found(String output) {
    return output
        .lines()
        .filter(line -> line.startsWith(SnapshotReader.FOUND))
        .collect(Collectors.joining());
  }

  /** Returns the output of a client, with or without the drop-in jar on its class path. */
  private String read(Path root, String snapshot, boolean withJar)
      throws IOException, InterruptedException {
    Path folder = Files.createDirectories(temporary.resolve(snapshot + "-" + withJar));
    String chosen = Stream.of(HBaseTestJvm.classPath().split(File.pathSeparator))
        .filter(path -> withJar || !path.equals(InstalledHBase.dropIn().toString()))
        .collect(Collectors.joining(File.pathSeparator));
    return HBaseTestJvm.output(
        folder,
        chosen,
        List.of(
            SnapshotReader.class.getName(),
            root.toUri().toString(),
            snapshot,
            folder.resolve("restored").toUri().toString()));
  }
}
