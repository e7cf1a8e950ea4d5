// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.hbase.server;

import io.github.rlsm.bench.gauge.ProcessIo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.net.NetUtils;

/**
 * An empty HDFS in one process: a name node and {@value #DATA_NODES} data nodes with default
 * options, on free ports. Clients read through sockets, as from other machines. The argument is the
 * folder for all files.
 *
 * <p>The program prints {@value #READY} and the address when all data nodes are known. For each
 * line of its standard input it prints {@value #WRITTEN} and the bytes that the process has written
 * to storage. It halts when its input ends, so that it does not outlive its parent.
 */
public final class HdfsMain {

  static final String READY = "hdfs is ready at ";
  static final String WRITTEN = "bytes written: ";

  private static final int DATA_NODES = 3;
  private static final String FREE_PORT = "localhost:0";
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private HdfsMain() {}

  /** Runs until the input ends. */
  public static void main(String[] arguments) {
    ChildJvm.runAndHalt("HDFS has failed", () -> serve(Path.of(arguments[0]).toAbsolutePath()));
  }

  private static void serve(Path folder) throws IOException {
    DefaultMetricsSystem.setMiniClusterMode(true);
    Configuration conf = new HdfsConfiguration();
    conf.set(DFSConfigKeys.FS_DEFAULT_NAME_KEY, "hdfs://" + FREE_PORT);
    conf.set(
        DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY, folder.resolve("name").toUri().toString());
    conf.set(DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY, FREE_PORT);
    NameNode.format(conf);
    NameNode names = NameNode.createNameNode(new String[0], conf);
    String address = "hdfs://" + NetUtils.getHostPortString(names.getNameNodeAddress());
    conf.set(DFSConfigKeys.FS_DEFAULT_NAME_KEY, address);
    for (int i = 0; i < DATA_NODES; i++) {
      startDataNode(conf, folder.resolve("data-" + i));
    }
    while (names.getNamesystem().getNumLiveDataNodes() < DATA_NODES) {
      LockSupport.parkNanos(POLL_NANOS);
    }
    ChildJvm.serve(READY + address, line -> WRITTEN + ProcessIo.now().bytesWritten());
  }

  private static void startDataNode(Configuration cluster, Path folder) throws IOException {
    Configuration conf = new HdfsConfiguration(cluster);
    conf.set(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY, folder.toUri().toString());
    for (String key : List.of(
        DFSConfigKeys.DFS_DATANODE_ADDRESS_KEY,
        DFSConfigKeys.DFS_DATANODE_HTTP_ADDRESS_KEY,
        DFSConfigKeys.DFS_DATANODE_IPC_ADDRESS_KEY)) {
      conf.set(key, FREE_PORT);
    }
    DataNode.createDataNode(new String[0], conf);
  }
}
