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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.regionserver.ConstantSizeRegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.DefaultStoreEngine;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A standalone HBase in a process of its own is killed while rows are written and regions split,
 * and started again: everything it acknowledged is there, also after the table was altered to
 * HBase's own engine and back. {@code -Drlsm.hbase.kills} says how often, {@code -Drlsm.hbase.rows}
 * how many rows at least, {@code -Drlsm.seed} replays what is written.
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
  private static final int KILLS = Integer.getInteger("rlsm.hbase.kills", 1);
  private static final int ROWS = Integer.getInteger("rlsm.hbase.rows", 0);
  private static final int PADDING = 400;
  private static final int ROW_BYTES = PADDING + 200;

  /** Writes some rows. */
  @FunctionalInterface
  private interface BatchWriter {
    void write() throws IOException;
  }

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
          AsyncConnection async =
              ConnectionFactory.createAsyncConnection(server.client()).get();
          Admin admin = connection.getAdmin()) {
        admin.createTable(table(RlsmStoreEngine.class.getName()));
        LinkedRows rows = new LinkedRows(TABLE, random, PADDING);
        for (int i = 0; i < KILLS; i++) {
          int batches = Math.max(50 + random.nextInt(100), ROWS / KILLS / BATCH);
          restartWhileWriting(server, () -> rows.write(connection, 1, BATCH), batches);
          assertThat(rows.problems(connection))
              .as("after kill %d, -Drlsm.seed=%d", i, seed)
              .isEmpty();
          System.out.println("kill " + (i + 1) + ": all of " + rows.count() + " rows are there, in "
              + admin.getRegions(TABLE).size() + " regions");
        }
        // Not by connection's own: see SplitParentTest.
        for (Class<?> engine : List.of(DefaultStoreEngine.class, RlsmStoreEngine.class)) {
          async.getAdmin().modifyTable(table(engine.getName())).get();
          rows.write(connection, 20, BATCH);
          admin.flush(TABLE);
          assertThat(rows.problems(connection))
              .as("%s, -Drlsm.seed=%d", engine, seed)
              .isEmpty();
        }
      }
    }
  }

  /**
   * Writes go on over the server's end and its next start: HBase's client sends again what was not
   * acknowledged. A client that gives up at once is no way to learn of the end: it, too, waits for
   * ZooKeeper, without a limit, when it has to look for a region that was split.
   */
  private static void restartWhileWriting(
      StandaloneHBase server, BatchWriter writeBatch, int batchesBefore) throws Exception {
    CountDownLatch due = new CountDownLatch(1);
    AtomicBoolean started = new AtomicBoolean();
    FutureTask<Void> writing = new FutureTask<>(() -> {
      try {
        for (int i = 0; !started.get(); i++) {
          if (i == batchesBefore) {
            due.countDown();
          }
          writeBatch.write();
        }
      } finally {
        due.countDown();
      }
      return null;
    });
    new Thread(writing, "writer").start();
    due.await();
    server.kill();
    assertThat(filesOfOurs(server)).as("files that our engine wrote").isPositive();
    server.start();
    started.set(true);
    writing.get();
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

  /** Not what the server was writing when it was killed, nor a link or a reference of a split. */
  private static boolean isOfFamily(Path file) {
    return file.getParent().endsWith(Bytes.toString(LinkedRows.FAMILY))
        && !file.toString().contains("/.tmp/")
        && file.getFileName().toString().matches("[0-9a-f]+");
  }

  /** Small enough for flushes, compactions of all kinds and splits in a few seconds. */
  private static TableDescriptor table(String engine) {
    long bytes = (long) ROWS * ROW_BYTES;
    return TableDescriptorBuilder.newBuilder(TABLE)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(LinkedRows.FAMILY))
        .setMemStoreFlushSize(Math.max(1 << 20, bytes / 256))
        .setRegionSplitPolicyClassName(ConstantSizeRegionSplitPolicy.class.getName())
        .setMaxFileSize(Math.max(4 << 20, bytes / 8))
        .setValue(StoreEngine.STORE_ENGINE_CLASS_KEY, engine)
        .setValue("hbase.rlsm.partition.bytes.max", Long.toString(Math.max(1 << 20, bytes / 64)))
        .setValue("hbase.rlsm.row.files.max", "3")
        .build();
  }
}
