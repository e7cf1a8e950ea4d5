// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.hbase;

import io.github.rlsm.bench.hbase.HBasePhase.Use;
import io.github.rlsm.bench.hbase.HBaseResult.EngineResult;
import io.github.rlsm.bench.hbase.server.Hdfs;
import io.github.rlsm.bench.hbase.server.ServerCounters;
import io.github.rlsm.bench.hbase.server.StandaloneHBase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.jspecify.annotations.Nullable;

/**
 * Measures one engine on its own server: load, gets, scans, overwrites, gets, scans, the opening of
 * the region, and the recovery of the server after a kill. A rehearsal on a small table precedes
 * the measurement, so that the just-in-time compilers of both processes have finished.
 *
 * <p>Threads: one.
 */
final class EngineRun {

  private static final TableName TABLE = TableName.valueOf("bench");
  private static final TableName REHEARSAL = TableName.valueOf("rehearsal");

  private static final long REHEARSAL_ROWS = 100_000;

  /**
   * The largest flush size of the rehearsal's table. A run with flushes of 128 MiB would have no
   * compaction in the rehearsal otherwise. Then the compilers were busy when the first compaction
   * ran during the measured scans.
   */
  private static final long REHEARSAL_FLUSH_BYTES = 4 << 20;

  /** The calls of one round of the rehearsal. Half of the scans read blocks from files. */
  private static final long ROUND_PUTS = 20_000;

  private static final long ROUND_GETS = 5_000;
  private static final long ROUND_SCANS = 10_000;

  /**
   * The rehearsal ends when the compilers work for less than this part of a round, or after
   * {@link #ROUNDS_MAX}. After a fixed number of 30,000 scans of cached blocks, the compilers took
   * a sixth of two processors during the first 15 s of measured scans. Now they take a twentieth.
   */
  private static final double COMPILERS_SHARE = 0.1;

  private static final int ROUNDS_MAX = 12;

  /** How often the region is opened. */
  private static final int OPENINGS = 9;

  /** Rows that only the log holds when the server is killed, about half of a memstore. */
  private static final long UNFLUSHED_ROWS = 2_000;

  /** Compactions are at rest if nothing has changed for this long. */
  private static final double REST_SECONDS = 3;

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Bytes that an idle server may write between polls, to its logs and procedures. */
  private static final long IDLE_BYTES = 64 << 10;

  private final HBaseSpec spec;
  private final Path folder;
  private final List<HBasePhase> phases = new ArrayList<>();

  EngineRun(HBaseSpec spec, Path folder) {
    this.spec = spec;
    this.folder = folder;
  }

  /** The calls of a phase. */
  private interface Work {
    Client.Done run() throws IOException;
  }

  EngineResult run() throws IOException {
    Path gc = folder.resolve("gc.log").toAbsolutePath();
    List<String> jvm = new ArrayList<>(List.of(
        "-Xmx" + spec.server().heapMebibytes() + "m",
        "-XX:+UseG1GC",
        "-XX:+ExitOnOutOfMemoryError",
        "-Xlog:gc:file=" + gc + "::filecount=0"));
    if (spec.server().isHeapFixed()) {
      jvm.add("-Xms" + spec.server().heapMebibytes() + "m");
    }
    // Replaced files are removed at once, so that only live files are counted.
    Map<String, String> site = new TreeMap<>();
    site.put("hbase.hfile.compaction.discharger.interval", "1000");
    // HBase keeps archived files and old logs for 5 to 20 minutes. With 6 million rows, the archive
    // of the default engine filled a disk with 73 GB free. Here they are kept for one to two
    // minutes.
    for (String times : List.of("cleaner.interval", "hfilecleaner.ttl", "logcleaner.ttl")) {
      site.put("hbase.master." + times, "60000");
    }
    try (Hdfs hdfs = spec.server().isOnHdfs() ? new Hdfs(folder.resolve("hdfs")) : null) {
      if (hdfs != null) {
        site.put(HConstants.HBASE_DIR, hdfs.address() + "/hbase");
      }
      return run(new StandaloneHBase(folder, site, jvm), hdfs, gc);
    }
  }

  private EngineResult run(StandaloneHBase stopped, @Nullable Hdfs hdfs, Path gc)
      throws IOException {
    try (StandaloneHBase server = stopped) {
      server.start();
      try (Connection connection = ConnectionFactory.createConnection(server.client());
          Admin admin = connection.getAdmin()) {
        Probe probe = new Probe(server, hdfs, admin, new GcLog(gc));
        rehearse(server, connection, admin);
        create(admin, TABLE, spec.server().flushBytes());
        measure(client(connection, TABLE), probe);
        client(connection, TABLE).put(UNFLUSHED_ROWS, id -> id, 2);
      }
      Map<String, Long> statistics = server.figures().engine();
      recover(server);
      return new EngineResult(spec, phases, statistics);
    }
  }

  private void rehearse(StandaloneHBase server, Connection connection, Admin admin)
      throws IOException {
    create(admin, REHEARSAL, Math.min(REHEARSAL_FLUSH_BYTES, spec.server().flushBytes()));
    long rows = Math.min(REHEARSAL_ROWS, spec.load().rows());
    Client client = client(connection, REHEARSAL);
    client.put(rows, id -> id, 0);
    int rounds = 0;
    double share;
    do {
      double before = server.figures().process().processor().compilerSeconds();
      long began = System.nanoTime();
      client.put(ROUND_PUTS, i -> Client.random(i, rows), 1);
      client.get(ROUND_GETS, rows);
      client.scan(ROUND_SCANS / 2, rows, true);
      client.scan(ROUND_SCANS / 2, rows, false);
      double seconds = (System.nanoTime() - began) / 1e9;
      share = (server.figures().process().processor().compilerSeconds() - before) / seconds;
      rounds++;
    } while (share > COMPILERS_SHARE && rounds < ROUNDS_MAX);
    System.out.printf(
        Locale.ROOT, "  rehearsal    %d rounds, compilers at last %.2f%n", rounds, share);
    admin.disableTable(REHEARSAL);
    admin.deleteTable(REHEARSAL);
  }

  private Client client(Connection connection, TableName table) {
    return new Client(
        connection, table, new Rows(spec.load().valueBytes()), spec.load().threads());
  }

  private void create(Admin admin, TableName name, long flushBytes) throws IOException {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(Rows.FAMILY))
        .setMemStoreFlushSize(flushBytes)
        .setRegionSplitPolicyClassName(DisabledRegionSplitPolicy.class.getName())
        .setValue(StoreEngine.STORE_ENGINE_CLASS_KEY, spec.engine().className());
    spec.engine().options().forEach(table::setValue);
    spec.tableOptions().forEach(table::setValue);
    admin.createTable(table.build());
  }

  private void measure(Client client, Probe probe) throws IOException {
    long rows = spec.load().rows();
    probe.rest();
    phase("load", rows, probe, () -> client.put(rows, id -> id, 0));
    phase("gets", spec.load().gets(), probe, () -> client.get(spec.load().gets(), rows));
    phase("scans", spec.load().scans(), probe, () -> client.scan(spec.load().scans(), rows, true));
    phase("overwrite", rows, probe, () -> client.put(rows, i -> Client.random(i, rows), 1));
    phase("gets after", spec.load().gets(), probe, () -> client.get(spec.load().gets(), rows));
    phase(
        "scans after",
        spec.load().scans(),
        probe,
        () -> client.scan(spec.load().scans(), rows, true));
    phase("openings", OPENINGS, probe, () -> probe.open(client));
  }

  /**
   * Kills the server, and starts it again. The time ends when a client has found a row. It includes
   * the start of the process and of HBase's own tables.
   */
  private void recover(StandaloneHBase server) throws IOException {
    server.kill();
    Client.Done done = Client.timed(1, () -> {}, () -> {
      server.start();
      try (Connection connection = ConnectionFactory.createConnection(server.client())) {
        return client(connection, TABLE).get(1, UNFLUSHED_ROWS).errors();
      }
    });
    ServerCounters after = server.figures();
    Use use = new Use(
        new HBasePhase.Written(
            after.process().bytesWritten(), after.flushedBytes(), after.compactedBytes()),
        after.blocks(),
        0,
        0,
        after.process().memory(),
        GcLog.Pauses.NONE);
    HBasePhase.Calls calls = new HBasePhase.Calls(
        1, 0, done.seconds(), done.seconds(), done.errors(), after.process().processor());
    phases.add(new HBasePhase("recovery", calls, done.latency(), use));
    System.out.printf(
        Locale.ROOT, "  recovery after %.1f s, %d errors%n", done.seconds(), done.errors());
  }

  private void phase(String name, long operations, Probe probe, Work work) throws IOException {
    probe.begin();
    Client.Done done = work.run();
    double settling = done.bytesPut() > 0 ? probe.rest() : 0;
    HBasePhase phase = probe.end(name, operations, done, settling);
    phases.add(phase);
    System.out.printf(
        Locale.ROOT,
        "  %-12s %,9.0f/s, settled %,9.0f/s after %.1f s, %d errors%n",
        name,
        phase.throughput(),
        phase.settledThroughput(),
        phase.calls().settledSeconds(),
        phase.calls().errors());
  }

  /** Reads the server's figures before and after a phase. */
  private static final class Probe {

    private final StandaloneHBase server;
    private final @Nullable Hdfs hdfs;
    private final Admin admin;
    private final GcLog gc;
    private ServerCounters before;

    Probe(StandaloneHBase server, @Nullable Hdfs hdfs, Admin admin, GcLog gc) throws IOException {
      this.server = server;
      this.hdfs = hdfs;
      this.admin = admin;
      this.gc = gc;
      this.before = figures();
    }

    private ServerCounters figures() throws IOException {
      ServerCounters ofServer = server.figures();
      return hdfs == null ? ofServer : ofServer.plusWritten(hdfs.bytesWritten());
    }

    void begin() throws IOException {
      gc.take();
      before = figures();
    }

    HBasePhase end(String name, long operations, Client.Done done, double settling)
        throws IOException {
      ServerCounters after = figures();
      HBasePhase.Written written = new HBasePhase.Written(
          after.process().bytesWritten() - before.process().bytesWritten(),
          after.flushedBytes() - before.flushedBytes(),
          after.compactedBytes() - before.compactedBytes());
      ServerCounters.Blocks blocks = new ServerCounters.Blocks(
          after.blocks().cached() - before.blocks().cached(),
          after.blocks().read() - before.blocks().read(),
          after.blocks().values() - before.blocks().values());
      Use use = new Use(written, blocks, files(), depth(), after.process().memory(), gc.take());
      return new HBasePhase(
          name,
          new HBasePhase.Calls(
              operations,
              done.bytesPut(),
              done.seconds(),
              done.seconds() + settling,
              done.errors(),
              after.process().processor().minus(before.process().processor())),
          done.latency(),
          use);
    }

    /** Waits until nothing changes, and returns the seconds until the last change. */
    double rest() throws IOException {
      long begin = System.nanoTime();
      long moved = begin;
      long written = figures().process().bytesWritten();
      while (System.nanoTime() - moved < REST_SECONDS * 1e9) {
        LockSupport.parkNanos(POLL_NANOS);
        long now = figures().process().bytesWritten();
        boolean compacting =
            admin.tableExists(TABLE) && admin.getCompactionState(TABLE) != CompactionState.NONE;
        if (compacting || now - written > IDLE_BYTES) {
          moved = System.nanoTime();
        }
        written = now;
      }
      return (moved - begin) / 1e9;
    }

    /**
     * Closes and opens the table's region a number of times. The time of an opening ends when a
     * client has found a row. It includes HBase's procedure.
     */
    Client.Done open(Client client) throws IOException {
      return Client.timed(OPENINGS, () -> admin.disableTable(TABLE), () -> {
        admin.enableTable(TABLE);
        return client.get(1, 1).errors();
      });
    }

    /** A list with the owner of each file would fail if HBase archived a file meanwhile. */
    private long files() throws IOException {
      Configuration conf = server.client();
      org.apache.hadoop.fs.Path table =
          CommonFSUtils.getTableDir(CommonFSUtils.getRootDir(conf), TABLE);
      String all = "*/" + Bytes.toString(Rows.FAMILY) + "/*";
      return table.getFileSystem(conf).globStatus(new org.apache.hadoop.fs.Path(table, all)).length;
    }

    private long depth() throws IOException {
      long depth = 0;
      for (ServerMetrics metrics :
          admin.getClusterMetrics().getLiveServerMetrics().values()) {
        for (RegionMetrics region : metrics.getRegionMetrics().values()) {
          depth +=
              region.getNameAsString().startsWith(TABLE + ",") ? region.getStoreFileCount() : 0;
        }
      }
      return depth;
    }
  }
}
