// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it.hbase;

import io.github.rlsm.bench.hbase.server.ChildJvm;
import io.github.rlsm.hbase.RlsmStoreEngine;
import io.github.rlsm.hbase.config.StoreSettings;
import io.github.rlsm.hbase.files.StoreFileSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.MiniHBaseCluster;
import org.apache.hadoop.hbase.PerformanceEvaluation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.apache.hadoop.hbase.util.LoadTestTool;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * A program that kills region servers of a MiniDFS cluster with three region servers, again and
 * again, while one of HBase's load tools runs repeatedly. Then the tool reads everything. The exit
 * code is 0 if no check failed.
 */
public final class LoadedCluster {

  private static final int SERVERS = 3;
  private static final long WAIT_MILLIS = TimeUnit.MINUTES.toMillis(2);
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final int KEYS = 20_000;
  private static final int CLIENTS = 2;

  /** The load tools. */
  private enum Load {
    LOAD_TEST_TOOL("ltt") {
      @Override
      Tool tool(Configuration conf) {
        return new LoadTestTool();
      }

      // The readers check their rows, both while others are written and at the end.
      @Override
      List<String> write() {
        return List.of(
            "-tn",
            table().getNameAsString(),
            "-write",
            "3:400:2",
            "-read",
            "20:2",
            "-num_regions_per_server",
            "1",
            "-num_keys",
            Integer.toString(KEYS));
      }

      @Override
      List<String> read() {
        return List.of(
            "-tn",
            table().getNameAsString(),
            "-skip_init",
            "-read",
            "100:2",
            "-num_keys",
            Integer.toString(KEYS));
      }

      @Override
      boolean isWhole(int rows) {
        return rows == KEYS;
      }
    },
    PERFORMANCE_EVALUATION(PerformanceEvaluation.TABLE_NAME) {
      @Override
      Tool tool(Configuration conf) {
        return new PerformanceEvaluation(conf);
      }

      @Override
      List<String> write() {
        return List.of(
            "--nomapred",
            "--valueSize=400",
            "--rows=" + KEYS,
            "sequentialWrite",
            Integer.toString(CLIENTS));
      }

      @Override
      List<String> read() {
        return List.of("--nomapred", "--rows=" + KEYS, "scan", Integer.toString(CLIENTS));
      }

      @Override
      boolean isWhole(int rows) {
        return rows == CLIENTS * KEYS;
      }
    };

    private final String table;

    Load(String table) {
      this.table = table;
    }

    TableName table() {
      return TableName.valueOf(table);
    }

    abstract Tool tool(Configuration conf);

    abstract List<String> write();

    abstract List<String> read();

    abstract boolean isWhole(int rows);

    private void run(Configuration conf, List<String> arguments) throws Exception {
      int code = ToolRunner.run(conf, tool(conf), arguments.toArray(new String[0]));
      if (code != 0) {
        throw new IOException(this + " " + arguments + " ended with " + code);
      }
    }
  }

  private LoadedCluster() {}

  /** Runs the load named by the first argument, with the number of kills in the second argument. */
  public static void main(String[] arguments) {
    ChildJvm.runAndHalt(
        arguments[0] + " failed",
        () -> run(Load.valueOf(arguments[0]), Integer.parseInt(arguments[1])));
  }

  private static void run(Load load, int kills) throws Exception {
    HBaseTestingUtility cluster = new HBaseTestingUtility();
    Configuration conf = cluster.getConfiguration();
    // Small enough for flushes, compactions of all kinds and region splits.
    conf.setLong("hbase.hregion.memstore.flush.size", 2 << 20);
    conf.setLong("hbase.hregion.max.filesize", 24 << 20);
    conf.setLong("hbase.rlsm.partition.bytes.max", 2 << 20);
    conf.setInt("hbase.rlsm.row.files.max", 3);
    cluster.startMiniCluster(StartMiniClusterOption.builder()
        .numRegionServers(SERVERS)
        .numDataNodes(SERVERS)
        .build());
    FutureTask<Void> killing = new FutureTask<>(() -> {
      for (int i = 0; i < kills; i++) {
        LockSupport.parkNanos(PAUSE_NANOS);
        kill(cluster, i);
      }
      return null;
    });
    new Thread(killing, "killer").start();
    int rounds = 0;
    do {
      load.run(conf, load.write());
      rounds++;
    } while (!killing.isDone());
    killing.get();
    check(cluster, load);
    System.out.println(load + ": " + rounds + " rounds over " + kills + " kills, all rows found");
  }

  /**
   * Frees the memory of a killed server. Where each server has its own process, a kill ends all of
   * its threads. Here some of them wait without an end, and keep the server, its stores and its
   * block cache. The thread that reports results of procedures is not ended. Nothing tells which
   * server it belongs to, and a result would make it ask for the master without a pause.
   */
  private static void free(HRegionServer server) {
    server.getWalRoller().close();
    for (HRegion region : server.getRegions()) {
      server.removeRegion(region, null);
    }
    server.getBlockCache().ifPresent(cache -> {
      if (cache instanceof LruBlockCache blocks) {
        blocks.clearCache();
      }
    });
  }

  /**
   * Kills a server, and starts another one. Like {@code kill -9}, this loses its memory: nothing is
   * flushed.
   */
  static void kill(HBaseTestingUtility cluster, int i) throws IOException, InterruptedException {
    MiniHBaseCluster servers = cluster.getMiniHBaseCluster();
    List<RegionServerThread> live = servers.getLiveRegionServerThreads();
    HRegionServer server = live.get(i % live.size()).getRegionServer();
    ServerName victim = server.getServerName();
    servers.killRegionServer(victim);
    servers.waitForRegionServerToStop(victim, WAIT_MILLIS);
    free(server);
    servers.startRegionServerAndWait(WAIT_MILLIS);
    cluster.waitUntilNoRegionsInTransition(WAIT_MILLIS);
    System.out.println("killed " + victim);
  }

  private static void check(HBaseTestingUtility cluster, Load load) throws Exception {
    load.run(cluster.getConfiguration(), load.read());
    try (Table table = cluster.getConnection().getTable(load.table())) {
      int rows = cluster.countRows(table);
      if (!load.isWhole(rows)) {
        throw new IOException(load.table() + " has " + rows + " rows");
      }
    }
    boolean separated = cluster.getConfiguration().getInt(StoreSettings.SEPARATED_BYTES, 0) > 0;
    checkSeparation(cluster, load.table(), separated);
  }

  /** Checks that a table uses the RLSM engine, and has key files if, and only if, it should. */
  static void checkSeparation(HBaseTestingUtility cluster, TableName table, boolean separated)
      throws IOException {
    int keyFiles = 0;
    for (HStore store : stores(cluster, table)) {
      for (HStoreFile file : store.getStorefiles()) {
        keyFiles += file.getMetadataValue(StoreFileSet.VALUES_KEY) == null ? 0 : 1;
      }
    }
    if (separated != (keyFiles > 0)) {
      throw new IOException(table + " has " + keyFiles + " key files");
    }
  }

  /** The stores of a table, all of which must use the RLSM engine. */
  static List<HStore> stores(HBaseTestingUtility cluster, TableName table) throws IOException {
    List<HStore> stores = new ArrayList<>();
    for (HRegion region : cluster.getMiniHBaseCluster().getRegions(table)) {
      stores.addAll(region.getStores());
    }
    for (HStore store : stores) {
      if (!(store.getStoreEngine() instanceof RlsmStoreEngine)) {
        throw new IOException(store + " does not use the RLSM engine");
      }
    }
    return stores;
  }
}
