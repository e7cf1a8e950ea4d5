// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.bench.hbase.server.StandaloneHBase;
import io.github.rlsm.hbase.RlsmStoreEngine;
import io.github.rlsm.hbase.files.StoreFileSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.regionserver.DefaultStoreEngine;
import org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A standalone HBase in a process of its own is killed while rows are written, and started again:
 * everything it acknowledged is there, also after the table was altered to HBase's own engine and
 * back. {@code -Drlsm.hbase.kills} says how often, {@code -Drlsm.seed} replays what is written.
 */
@EnabledForJreRange(
    max = JRE.JAVA_22,
    disabledReason = "HBase 2.6.1 brings a Hadoop whose UserGroupInformation calls"
        + " Subject.getSubject, which Java 23 and later refuse (HADOOP-19212)")
@EnabledIfSystemProperty(
    named = "rlsm.hbase.kills",
    matches = "[1-9][0-9]*",
    disabledReason = "starts HBase servers as an operator would; ask for it by the number of kills")
class RealServerTest {

  private static final TableName TABLE = TableName.valueOf("t");
  private static final List<String> JVM =
      List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-ea");
  private static final int BATCH = 100;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path temporary;

  @Test
  void killedServerLosesNothing() throws Exception {
    long seed = Long.getLong("rlsm.seed", System.nanoTime());
    System.out.println("-Drlsm.seed=" + seed);
    Random random = new Random(seed);
    try (StandaloneHBase server = new StandaloneHBase(temporary, Map.of(), JVM)) {
      server.start();
      try (Connection connection = ConnectionFactory.createConnection(server.client());
          Admin admin = connection.getAdmin()) {
        admin.createTable(table(RlsmStoreEngine.class.getName()));
        LinkedRows rows = new LinkedRows(TABLE, random);
        int kills = Integer.getInteger("rlsm.hbase.kills", 1);
        for (int i = 0; i < kills; i++) {
          rows.write(connection, 50 + random.nextInt(100), BATCH);
          killWhileWriting(server, rows);
          assertThat(filesOfOurs(server)).as("files that our engine wrote").isPositive();
          server.start();
          assertThat(rows.problems(connection))
              .as("after kill %d, -Drlsm.seed=%d", i, seed)
              .isEmpty();
        }
        alter(admin, DefaultStoreEngine.class.getName());
        rows.write(connection, 20, BATCH);
        admin.flush(TABLE);
        assertThat(rows.problems(connection))
            .as("HBase's engine, -Drlsm.seed=%d", seed)
            .isEmpty();
        alter(admin, RlsmStoreEngine.class.getName());
        rows.write(connection, 20, BATCH);
        admin.flush(TABLE);
        assertThat(rows.problems(connection))
            .as("ours again, -Drlsm.seed=%d", seed)
            .isEmpty();
      }
    }
  }

  /** By a client that gives up at once, where a usual one waits for the server to come back. */
  private static void killWhileWriting(StandaloneHBase server, LinkedRows rows)
      throws IOException, InterruptedException {
    Configuration impatient = server.client();
    impatient.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
    int before = rows.count();
    Thread killer = new Thread(server::kill, "killer");
    try (Connection connection = ConnectionFactory.createConnection(impatient)) {
      rows.write(connection, 10, BATCH);
      killer.start();
      rows.write(connection, Integer.MAX_VALUE, BATCH);
    } catch (IOException e) {
      assertThat(rows.count()).as("%s", e).isGreaterThan(before);
    }
    killer.join();
  }

  /** How many of the table's files carry a row filter. */
  private static int filesOfOurs(StandaloneHBase server) throws IOException {
    Configuration conf = server.client();
    Path table = server.data().resolve("data").resolve("default").resolve(TABLE.toString());
    int ours = 0;
    try (Stream<Path> walk = Files.walk(table)) {
      for (Path file : (Iterable<Path>) walk.filter(RealServerTest::isOfFamily)::iterator) {
        org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(file.toUri());
        try (HFile.Reader reader = HFile.createReader(path.getFileSystem(conf), path, conf)) {
          ours += reader.getHFileInfo().containsKey(StoreFileSet.ROWS_KEY) ? 1 : 0;
        }
      }
    }
    return ours;
  }

  /** Not what a flush or a compaction was writing when the server was killed. */
  private static boolean isOfFamily(Path file) {
    return file.getParent().endsWith(Bytes.toString(LinkedRows.FAMILY))
        && !file.toString().contains("/.tmp/")
        && Files.isRegularFile(file);
  }

  private static void alter(Admin admin, String engine) throws IOException {
    admin.modifyTable(table(engine));
  }

  /** Small enough for flushes and compactions of all kinds in a few seconds. */
  private static TableDescriptor table(String engine) {
    return TableDescriptorBuilder.newBuilder(TABLE)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(LinkedRows.FAMILY))
        .setMemStoreFlushSize(1 << 20)
        .setRegionSplitPolicyClassName(DisabledRegionSplitPolicy.class.getName())
        .setValue(StoreEngine.STORE_ENGINE_CLASS_KEY, engine)
        .setValue("hbase.rlsm.partition.bytes.max", "1000000")
        .setValue("hbase.rlsm.wide.files.min", "2")
        .setValue("hbase.rlsm.runs.max", "3")
        .build();
  }
}
