// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it.hbase;

import io.github.rlsm.bench.hbase.server.ChildJvm;
import io.github.rlsm.hbase.RlsmStoreEngine;
import io.github.rlsm.hbase.config.StoreSettings;
import io.github.rlsm.hbase.metrics.StoreMetrics;
import java.io.File;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.MiniHBaseCluster;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.regionserver.DefaultStoreEngine;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A program that disturbs a cluster of three region servers and three data nodes, while a linked
 * list of rows is written with separated values ({@link DisturbedList}). The disturbances are
 * failures and the work of an operator. The program works in generations. Each one has a new table,
 * and ends with a check of all rows. So the memory, the handles and the space of the process should
 * be the same at the end of each generation.
 *
 * <p>Arguments: the minutes that it runs, the seed of all random choices, and the list. The exit
 * code is 0 if no acknowledged row was lost or outdated. Each generation prints a line.
 */
public final class ChaosCluster {

  private static final Logger LOG = LoggerFactory.getLogger(ChaosCluster.class);

  /** The line that a generation prints begins with this. */
  static final String GENERATION = "generation ";

  private static final TableName COPY = TableName.valueOf("copy");
  private static final String SNAPSHOT = "snapshot";
  private static final int MASTERS = 2;
  private static final int SERVERS = 3;
  private static final long WAIT_MILLIS = TimeUnit.MINUTES.toMillis(3);
  private static final long PAUSE_MILLIS_MAX = 3_000;
  private static final int DISTURBANCES = 12;
  private static final float BLOCK_CACHE_PART = 0.02f;

  /** Low enough that dead values are collected within a generation. */
  private static final int DEAD_PERCENT = 25;

  private final HBaseTestingUtility cluster;
  private final Random random;
  private final Kind kind;
  private final List<Watched> watched = new ArrayList<>();
  private final Map<Disturbance, Integer> done = new EnumMap<>(Disturbance.class);
  private final Map<Disturbance, Integer> refused = new EnumMap<>(Disturbance.class);

  /** The lists of rows. */
  enum Kind {
    /** This project's list. */
    OWN,

    /** The list of HBase's integration test. */
    HBASE
  }

  /** What happens to the cluster while rows are written. */
  private enum Disturbance {
    KILL_SERVER,
    RESTART_DATA_NODE,
    MOVE,
    SPLIT,
    MERGE,
    ALTER,
    SNAPSHOT,
    FLUSH,
    MAJOR_COMPACT
  }

  private ChaosCluster(HBaseTestingUtility cluster, Random random, Kind kind) {
    this.cluster = cluster;
    this.random = random;
    this.kind = kind;
  }

  /** Runs with the minutes, the seed and the kind of list that the arguments name. */
  public static void main(String[] arguments) {
    ChildJvm.runAndHalt(
        "the cluster failed, seed " + arguments[1],
        () -> run(
            Integer.parseInt(arguments[0]),
            Long.parseLong(arguments[1]),
            Kind.valueOf(arguments[2])));
  }

  private static void run(int minutes, long seed, Kind kind) throws Exception {
    HBaseTestingUtility cluster = new HBaseTestingUtility();
    Configuration conf = cluster.getConfiguration();
    // Small enough for flushes, compactions of all kinds and splits within a generation.
    conf.setLong("hbase.hregion.memstore.flush.size", 2 << 20);
    conf.setLong("hbase.hregion.max.filesize", 32 << 20);
    conf.setInt("hbase.hfile.compaction.discharger.interval", 1_000);
    // A killed server would halt the JVM, and with it all servers, after 20 minutes.
    conf.setLong("hbase.regionserver.abort.timeout", TimeUnit.MINUTES.toMillis(2L * minutes));
    // The blocks of deleted tables stay in the cache, so a large cache would hide a leak.
    conf.setFloat(HConstants.HFILE_BLOCK_CACHE_SIZE_KEY, BLOCK_CACHE_PART);
    cluster.startMiniCluster(StartMiniClusterOption.builder()
        .numMasters(MASTERS)
        .numRegionServers(SERVERS)
        .numDataNodes(SERVERS)
        .build());
    ChaosCluster chaos = new ChaosCluster(cluster, new Random(seed), kind);
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(minutes);
    for (int i = 1; System.nanoTime() < end; i++) {
      chaos.generation(i);
    }
  }

  private static TableDescriptor table(DisturbedList list, Class<?> engine) {
    return TableDescriptorBuilder.newBuilder(list.table())
        .setColumnFamilies(
            list.families().stream().map(ColumnFamilyDescriptorBuilder::of).toList())
        .setValue(StoreEngine.STORE_ENGINE_CLASS_KEY, engine.getName())
        .setValue(StoreSettings.SEPARATED_BYTES, Integer.toString(list.separatedBytesMin()))
        .setValue(StoreSettings.DEAD_VALUES, Integer.toString(DEAD_PERCENT))
        .build();
  }

  private void generation(int number) throws Exception {
    done.clear();
    refused.clear();
    long collected = collectedBytes();
    try (Connection connection = ConnectionFactory.createConnection(cluster.getConfiguration());
        AsyncConnection async =
            ConnectionFactory.createAsyncConnection(cluster.getConfiguration()).get();
        Admin admin = connection.getAdmin()) {
      DisturbedList list = kind == Kind.OWN
          ? new DisturbedList.Own(connection, random)
          : new DisturbedList.OfHBase(cluster, number);
      admin.createTable(table(list, RlsmStoreEngine.class));
      FutureTask<Integer> writing = new FutureTask<>(list::write);
      new Thread(writing, "writer").start();
      for (int i = 0; i < DISTURBANCES; i++) {
        LockSupport.parkNanos(
            TimeUnit.MILLISECONDS.toNanos(1 + random.nextInt((int) PAUSE_MILLIS_MAX)));
        replaceEnded();
        watch(list.table());
        disturb(admin, async, list);
      }
      list.end();
      int failed = writing.get();
      cluster.waitUntilNoRegionsInTransition(WAIT_MILLIS);
      List<String> problems = list.problems();
      System.out.println(GENERATION + number + ": " + list.count() + " rows, " + failed
          + " failed batches, " + problems.size() + " problems, "
          + admin.getRegions(list.table()).size()
          + " regions, done " + done + ", refused " + refused + ", "
          + (collectedBytes() - collected) + " bytes by collecting, " + spaceMegabytes(list.table())
          + " MB of files");
      if (!problems.isEmpty()) {
        throw new IOException(problems.size() + " problems: " + problems.get(0));
      }
      watch(list.table());
      admin.disableTable(list.table());
      admin.deleteTable(list.table());
      waitUntilCollected();
    }
    Runtime runtime = Runtime.getRuntime();
    System.out.println("after it: " + ((runtime.totalMemory() - runtime.freeMemory()) >> 20)
        + " MB of heap, " + new File("/proc/self/fd").list().length + " handles, "
        + Thread.activeCount() + " threads");
  }

  /**
   * Starts servers in place of those that have ended by themselves. In HBase 2.6.1 a master or a
   * region server ends if data nodes are restarted while it creates a log file:
   * {@code FanOutOneBlockAsyncDFSOutput.close} then throws an IllegalStateException.
   */
  private void replaceEnded() throws Exception {
    MiniHBaseCluster servers = cluster.getMiniHBaseCluster();
    while (servers.getLiveMasterThreads().size() < MASTERS) {
      System.out.println("replaced master " + servers.startMaster().getName());
    }
    if (!servers.waitForActiveAndReadyMaster(WAIT_MILLIS)) {
      throw new AssertionError("no master is active");
    }
    while (servers.getLiveRegionServerThreads().size() < SERVERS) {
      servers.startRegionServerAndWait(WAIT_MILLIS);
      System.out.println("replaced a region server");
    }
  }

  /** HBase refuses some changes at some times, for example a merge of regions that were split. */
  private void disturb(Admin admin, AsyncConnection async, DisturbedList list) throws Exception {
    Disturbance[] all = Disturbance.values();
    Disturbance next = all[random.nextInt(all.length)];
    try {
      disturb(next, admin, async, list);
      done.merge(next, 1, Integer::sum);
    } catch (IOException | java.util.concurrent.ExecutionException e) {
      LOG.warn("{} was refused", next, e);
      refused.merge(next, 1, Integer::sum);
    }
  }

  private void disturb(Disturbance next, Admin admin, AsyncConnection async, DisturbedList list)
      throws Exception {
    switch (next) {
      case KILL_SERVER -> LoadedCluster.kill(cluster, random.nextInt(SERVERS));
      case RESTART_DATA_NODE -> {
        cluster.getDFSCluster().restartDataNode(random.nextInt(SERVERS), true);
        cluster.getDFSCluster().waitActive();
      }
      case MOVE -> {
        List<ServerName> servers = new ArrayList<>(admin.getRegionServers());
        admin.move(
            region(admin, list.table()).getEncodedNameAsBytes(),
            servers.get(random.nextInt(servers.size())));
      }
      case SPLIT ->
        admin
            .splitRegionAsync(region(admin, list.table()).getRegionName())
            .get(WAIT_MILLIS, TimeUnit.MILLISECONDS);
      case MERGE -> {
        List<RegionInfo> regions = admin.getRegions(list.table());
        if (regions.size() > 1) {
          int i = random.nextInt(regions.size() - 1);
          byte[][] names = {
            regions.get(i).getEncodedNameAsBytes(), regions.get(i + 1).getEncodedNameAsBytes()
          };
          admin.mergeRegionsAsync(names, false).get(WAIT_MILLIS, TimeUnit.MILLISECONDS);
        }
      }
      case ALTER -> {
        // The blocking client could wait for minutes: see SplitParentTest.
        for (Class<?> engine : List.of(DefaultStoreEngine.class, RlsmStoreEngine.class)) {
          async.getAdmin().modifyTable(table(list, engine)).get(WAIT_MILLIS, TimeUnit.MILLISECONDS);
        }
      }
      case SNAPSHOT -> copyBySnapshot(admin, list);
      case FLUSH -> {
        // In HBase 2.6.1, the flush of a table waits without limit if a region is split in it.
        for (RegionInfo region : admin.getRegions(list.table())) {
          admin.flushRegion(region.getRegionName());
        }
      }
      case MAJOR_COMPACT -> admin.majorCompact(list.table());
    }
  }

  private RegionInfo region(Admin admin, TableName table) throws IOException {
    List<RegionInfo> regions = admin.getRegions(table);
    return regions.get(random.nextInt(regions.size()));
  }

  /** A copy of a snapshot has all rows that were acknowledged before it. */
  private void copyBySnapshot(Admin admin, DisturbedList list) throws IOException {
    long before = list.certain();
    admin.snapshot(SNAPSHOT, list.table());
    try {
      admin.cloneSnapshot(SNAPSHOT, COPY);
      try (Table copy = cluster.getConnection().getTable(COPY)) {
        int rows = cluster.countRows(copy);
        if (rows < before) {
          throw new AssertionError("the copy has " + rows + " rows of " + before);
        }
      } finally {
        admin.disableTable(COPY);
        admin.deleteTable(COPY);
      }
    } finally {
      admin.deleteSnapshot(SNAPSHOT);
    }
  }

  /** An object of a store that HBase must not need after the table was deleted. */
  private record Watched(ServerName server, WeakReference<Object> object) {}

  /** Notes the engines and the files of the stores that are open now. */
  private void watch(TableName table) {
    for (RegionServerThread thread : cluster.getMiniHBaseCluster().getLiveRegionServerThreads()) {
      HRegionServer server = thread.getRegionServer();
      for (HRegion region : server.getRegions(table)) {
        for (HStore store : region.getStores()) {
          watched.add(
              new Watched(server.getServerName(), new WeakReference<>(store.getStoreEngine())));
          for (HStoreFile file : store.getStorefiles()) {
            watched.add(new Watched(server.getServerName(), new WeakReference<>(file)));
          }
        }
      }
    }
  }

  /**
   * Waits until no watched object is in memory. The regions may have been moved, split, merged or
   * opened with the other engine, and the files may have been compacted.
   *
   * <p>The heap as a whole is no measure, and killed servers are left out. HBase keeps both in this
   * process: a thread for metrics refers to each region that was not closed.
   */
  private void waitUntilCollected() {
    Set<ServerName> live = cluster.getMiniHBaseCluster().getLiveRegionServerThreads().stream()
        .map(thread -> thread.getRegionServer().getServerName())
        .collect(Collectors.toSet());
    watched.removeIf(one -> !live.contains(one.server()));
    int all = watched.size();
    if (all == 0) {
      throw new AssertionError("no live server had a region of the table");
    }
    long begin = System.nanoTime();
    while (!watched.isEmpty()) {
      if (System.nanoTime() - begin > TimeUnit.MILLISECONDS.toNanos(WAIT_MILLIS)) {
        throw new AssertionError(
            "in memory after the table was deleted: " + watched.get(0).object().get()
                + " and others, of " + all + " objects " + watched.size());
      }
      System.gc();
      watched.removeIf(one -> one.object().get() == null);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS_MAX) / 10);
    }
    System.out.println("collected " + all + " engines and files of live servers");
  }

  private static long collectedBytes() {
    return MetricRegistries.global()
        .get(StoreMetrics.PLACE)
        .flatMap(all -> all.get("writtenBytesByCollect"))
        .map(metric -> ((Counter) metric).getCount())
        .orElse(0L);
  }

  private long spaceMegabytes(TableName table) throws IOException {
    Path folder = CommonFSUtils.getTableDir(cluster.getDefaultRootDirPath(), table);
    return cluster.getTestFileSystem().getContentSummary(folder).getLength() >> 20;
  }
}
