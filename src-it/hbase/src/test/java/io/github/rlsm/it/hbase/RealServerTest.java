// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.bench.hbase.server.StandaloneHBase;
import io.github.rlsm.hbase.RlsmStoreEngine;
import io.github.rlsm.hbase.config.StoreSettings;
import io.github.rlsm.hbase.files.StoreFileSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
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
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Kills a standalone HBase in its own process while rows are written and regions split, and starts
 * it again. All acknowledged rows must be present, also after the table was altered to HBase's own
 * engine and back. The property {@code rlsm.hbase.kills} sets the number of kills,
 * {@code rlsm.hbase.rows} the smallest number of rows, and {@code rlsm.seed} replays the writes.
 * The test runs once without and once with separated values.
 */
@EnabledForJreRange(
    max = JRE.JAVA_22,
    disabledReason = "HBase 2.6.1 brings a Hadoop whose UserGroupInformation calls"
        + " Subject.getSubject, which Java 23 and later refuse (HADOOP-19212)")
@EnabledIfSystemProperty(
    named = "rlsm.hbase.kills",
    matches = "[1-9][0-9]*",
    disabledReason = "starts HBase servers as an operator would; enable it with -Drlsm.hbase.kills")
class RealServerTest {

  private static final TableName TABLE = TableName.valueOf("t");
  private static final List<String> JVM =
      List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-ea");
  private static final int BATCH = 100;
  private static final long WRITING_MINUTES_MAX = 10;
  private static final int METRIC_SECONDS_MAX = 60;
  private static final int KILLS = Integer.getInteger("rlsm.hbase.kills", 1);
  private static final int ROWS = Integer.getInteger("rlsm.hbase.rows", 0);

  /** Low enough that dead values are collected while the server is killed. */
  private static final String DEAD_PERCENT = "25";

  /** With fewer kills, the server may have too little time for a collection. */
  private static final int KILLS_FOR_COLLECT = 3;

  /** Where values are stored, and the workload for it: half of the large values are rewritten. */
  enum Values {
    WITHIN(0, 400, 1, 1 << 20, 4 << 20),
    BESIDE(1_000, 2_000, BATCH, 4 << 20, 64 << 20);

    private final int separatedBytesMin;
    private final int padding;
    private final int again;
    private final long flushBytes;
    private final long regionBytes;

    Values(int separatedBytesMin, int padding, int again, long flushBytes, long regionBytes) {
      this.separatedBytesMin = separatedBytesMin;
      this.padding = padding;
      this.again = again;
      this.flushBytes = flushBytes;
      this.regionBytes = regionBytes;
    }

    /** Small enough for flushes, compactions of all kinds and splits within a few seconds. */
    TableDescriptor table(Class<?> engine) {
      long bytes = (long) ROWS * (padding + 200);
      long flushed = Math.max(flushBytes, bytes / 256);
      return TableDescriptorBuilder.newBuilder(TABLE)
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of(LinkedRows.FAMILY))
          .setMemStoreFlushSize(flushed)
          .setRegionSplitPolicyClassName(ConstantSizeRegionSplitPolicy.class.getName())
          .setMaxFileSize(Math.max(regionBytes, bytes / 8))
          .setValue(StoreEngine.STORE_ENGINE_CLASS_KEY, engine.getName())
          .setValue(StoreSettings.PARTITION_BYTES, Long.toString(Math.max(flushed, bytes / 64)))
          .setValue(StoreSettings.ROW_FILES, "3")
          .setValue(StoreSettings.SEPARATED_BYTES, Integer.toString(separatedBytesMin))
          .setValue(StoreSettings.DEAD_VALUES, DEAD_PERCENT)
          .build();
    }
  }

  /** Writes some rows. */
  @FunctionalInterface
  private interface BatchWriter {
    void write() throws IOException;
  }

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path temporary;

  @ParameterizedTest
  @EnumSource
  void killedServerLosesNoAcknowledgedRow(Values values) throws Exception {
    long seed = Long.getLong("rlsm.seed", System.nanoTime());
    System.out.println(values + " -Drlsm.seed=" + seed);
    Random random = new Random(seed);
    try (StandaloneHBase server = new StandaloneHBase(temporary, Map.of(), JVM)) {
      server.start();
      try (Connection connection = ConnectionFactory.createConnection(server.client());
          AsyncConnection async =
              ConnectionFactory.createAsyncConnection(server.client()).get();
          Admin admin = connection.getAdmin()) {
        admin.createTable(values.table(RlsmStoreEngine.class));
        LinkedRows rows = new LinkedRows(TABLE, random, values.padding, values.again);
        long collected = 0;
        for (int i = 0; i < KILLS; i++) {
          int batches = Math.max(50 + random.nextInt(100), ROWS / KILLS / BATCH);
          collected +=
              restartWhileWriting(server, values, () -> rows.write(connection, 1, BATCH), batches);
          assertThat(rows.problems(connection))
              .as("after kill %d, -Drlsm.seed=%d", i, seed)
              .isEmpty();
          System.out.println("kill " + (i + 1) + ": all of " + rows.count() + " rows found, in "
              + admin.getRegions(TABLE).size() + " regions");
        }
        System.out.println("written by collecting: " + collected + " bytes");
        if (values == Values.BESIDE && KILLS >= KILLS_FOR_COLLECT) {
          assertThat(collected).as("bytes written by collecting dead values").isPositive();
        }
        // The blocking client of {@code connection} could wait for minutes: see SplitParentTest.
        for (Class<?> engine : List.of(DefaultStoreEngine.class, RlsmStoreEngine.class)) {
          async.getAdmin().modifyTable(values.table(engine)).get();
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
   * Writes continue across the server's end and its next start, because HBase's client resends
   * unacknowledged writes. A client that gives up at once could not detect the end. It too waits
   * for ZooKeeper, without a limit, when it looks for a region that was split.
   *
   * @return the bytes that the killed process had written by collecting dead values
   */
  private static long restartWhileWriting(
      StandaloneHBase server, Values values, BatchWriter writeBatch, int batchesBefore)
      throws Exception {
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
    assertThat(due.await(WRITING_MINUTES_MAX, TimeUnit.MINUTES))
        .as("HBase's client retries forever if the server cannot write, see %s", server.log())
        .isTrue();
    Map<String, Long> figures = engineFigures(server);
    server.kill();
    assertThat(figures).as("metrics of the RLSM engine").containsKey("PartitionCount");
    if (values == Values.BESIDE) {
      assertThat(filesWith(server, StoreFileSet.VALUES_KEY)).as("key files").isPositive();
    }
    server.start();
    started.set(true);
    writing.get();
    return figures.getOrDefault("WrittenBytesByCollect", 0L);
  }

  /** HBase shows a new registry of metrics after up to ten seconds. Writes continue meanwhile. */
  private static Map<String, Long> engineFigures(StandaloneHBase server) throws IOException {
    Map<String, Long> figures = server.figures().engine();
    for (int i = 0; i < METRIC_SECONDS_MAX && figures.isEmpty(); i++) {
      LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
      figures = server.figures().engine();
    }
    return figures;
  }

  /** The number of the table's files with a given key in their metadata. */
  private static int filesWith(StandaloneHBase server, byte[] metadataKey) throws IOException {
    Configuration conf = server.client();
    Path table = server.data().resolve("data").resolve("default").resolve(TABLE.toString());
    int count = 0;
    try (Stream<Path> walk = Files.walk(table)) {
      for (Path file : (Iterable<Path>) walk.filter(RealServerTest::isOfFamily)::iterator) {
        org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(file.toUri());
        try (HFile.Reader reader = HFile.createReader(path.getFileSystem(conf), path, conf)) {
          count += reader.getHFileInfo().containsKey(metadataKey) ? 1 : 0;
        }
      }
    }
    return count;
  }

  /**
   * Excludes files that the server was writing when it was killed, and links and references of a
   * split.
   */
  private static boolean isOfFamily(Path file) {
    return file.getParent().endsWith(Bytes.toString(LinkedRows.FAMILY))
        && !file.toString().contains("/.tmp/")
        && file.getFileName().toString().matches("[0-9a-f]+");
  }
}
