// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.hbase.server;

import io.github.rlsm.bench.result.Json;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * A ZooKeeper, a master and a region server in one process, as in HBase's standalone mode. The
 * hbase-site.xml on the class path configures them.
 *
 * <p>The program prints {@value #READY} when the master is ready. Each line of its standard input
 * names a file. The program writes its {@link ServerCounters} to the file and prints
 * {@value #DONE}. It halts when its input ends, so that it does not outlive its parent.
 */
public final class ServerMain {

  static final String READY = "hbase is ready";
  static final String DONE = "figures are written";

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private ServerMain() {}

  /** Runs until the input ends. */
  public static void main(String[] arguments) {
    ChildJvm.runAndHalt("the server has failed", ServerMain::serve);
  }

  private static void serve() throws IOException, InterruptedException {
    Configuration conf = HBaseConfiguration.create();
    DefaultMetricsSystem.setMiniClusterMode(true);
    MiniZooKeeperCluster keeper = new MiniZooKeeperCluster(conf);
    int port = conf.getInt(HConstants.ZOOKEEPER_CLIENT_PORT, 0);
    keeper.setDefaultClientPort(port);
    // With its port taken, ZooKeeper picks another one, which no client knows.
    if (keeper.startup(new File(conf.get(HConstants.ZOOKEEPER_DATA_DIR))) != port) {
      throw new IOException("port " + port + " is in use");
    }
    LocalHBaseCluster cluster = new LocalHBaseCluster(conf);
    cluster.startup();
    while (!cluster.getMaster(0).isInitialized()) {
      if (cluster.getMaster(0).isStopped()) {
        throw new IOException("the master has stopped");
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    try (ServerCountersGauge gauge = new ServerCountersGauge()) {
      ChildJvm.serve(READY, file -> {
        Json.write(Path.of(file), gauge.read());
        return DONE;
      });
    }
  }
}
