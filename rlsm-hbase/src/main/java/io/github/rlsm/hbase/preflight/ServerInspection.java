// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.preflight;

import io.github.rlsm.hbase.RlsmStoreEngine;
import java.io.IOException;
import java.io.PrintStream;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;

/**
 * Checks every region server of a running cluster by a {@link ServerProbe}: its HBase version, and
 * whether it can load the engine. HBase has no call that loads a class on a given server. So the
 * probe is a read of a row of one of the server's regions. The admin API does not give a client the
 * versions of region servers: all of them are 0.0.0 in {@code ServerMetrics} of HBase 2.6.
 *
 * <p>Threads: one.
 */
final class ServerInspection {

  private static final int RETRIES = 3;
  private static final int TIMEOUT_MILLIS = 30_000;
  private static final int REGIONS_MAX = 5;

  /** The line of a remote stack trace that names the cause. */
  private static final Pattern CAUSE = Pattern.compile(
      "(ClassNotFoundException|NoClassDefFoundError|DeserializationException: HBase)[^\\r\\n]*");

  private final String line;
  private final PrintStream out;
  private final Consumer<String> problems;

  /**
   * Creates an inspection.
   *
   * @param line how the HBase versions begin that the engine is built for
   * @param problems receives a message for each problem
   */
  ServerInspection(String line, PrintStream out, Consumer<String> problems) {
    this.line = line;
    this.out = out;
    this.problems = problems;
  }

  /** Inspects the cluster that a configuration names. */
  void run(Configuration conf) {
    Configuration impatient = new Configuration(conf);
    impatient.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, RETRIES);
    impatient.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, TIMEOUT_MILLIS);
    impatient.setInt(HConstants.HBASE_CLIENT_META_OPERATION_TIMEOUT, TIMEOUT_MILLIS);
    impatient.setInt("zookeeper.recovery.retry", RETRIES);
    try (Connection connection = ConnectionFactory.createConnection(impatient);
        Admin admin = connection.getAdmin()) {
      ClusterMetrics cluster =
          admin.getClusterMetrics(EnumSet.of(Option.HBASE_VERSION, Option.LIVE_SERVERS));
      checkMaster(String.valueOf(cluster.getHBaseVersion()));
      for (ServerName server : cluster.getLiveServerMetrics().keySet()) {
        probe(connection, server, admin.getRegions(server));
      }
    } catch (IOException e) {
      problems.accept("the cluster cannot be inspected: " + e);
    }
  }

  private void checkMaster(String version) {
    out.println("the master: HBase " + version);
    if (!version.startsWith(line)) {
      problems.accept(
          "the master has HBase " + version + ", the engine is built for HBase " + line + "x");
    }
  }

  /** Probes one of the server's regions. If a region moves during its probe, tries the next. */
  private void probe(Connection connection, ServerName server, List<RegionInfo> regions) {
    String why = "has no region through which to check it; move a region to it, or restart the"
        + " command if regions were moving";
    for (RegionInfo region :
        regions.stream().filter(ServerInspection::isReadable).limit(REGIONS_MAX).toList()) {
      try {
        if (isProbed(connection, server, region)) {
          out.println("server " + server + ": HBase " + line + "x, can load the engine");
          return;
        }
      } catch (DoNotRetryIOException e) {
        problems.accept("server " + server + " " + explain(e));
        return;
      } catch (IOException e) {
        why = "could not be probed: " + firstLine(e);
      }
    }
    problems.accept("server " + server + " " + why);
  }

  /** Explains the error of a probe. Its message has the stack trace of the server. */
  static String explain(DoNotRetryIOException e) {
    Matcher cause = CAUSE.matcher(String.valueOf(e.getMessage()));
    return cause.find()
        ? "cannot load the engine: " + cause.group()
        : "could not be probed: " + firstLine(e);
  }

  private static String firstLine(IOException e) {
    return e.toString().lines().findFirst().orElse("");
  }

  /**
   * Reads a row of a region through the probe.
   *
   * @return whether the region was on the server before and after
   */
  private boolean isProbed(Connection connection, ServerName server, RegionInfo region)
      throws IOException {
    byte[] row = rowOf(region);
    try (RegionLocator locator = connection.getRegionLocator(region.getTable());
        Table table = connection.getTable(region.getTable())) {
      if (!isOn(locator, row, server)) {
        return false;
      }
      table.get(new Get(row).setFilter(new ServerProbe(RlsmStoreEngine.class.getName(), line)));
      return isOn(locator, row, server);
    }
  }

  private static boolean isOn(RegionLocator locator, byte[] row, ServerName server)
      throws IOException {
    return server.equals(locator.getRegionLocation(row, true).getServerName());
  }

  private static boolean isReadable(RegionInfo region) {
    return region.getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID
        && region.containsRow(rowOf(region));
  }

  /** The first row of a region; the first that is not empty, because a read needs one. */
  private static byte[] rowOf(RegionInfo region) {
    byte[] start = region.getStartKey();
    return start.length == 0 ? new byte[1] : start;
  }
}
