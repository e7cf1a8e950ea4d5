// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import io.github.rlsm.hbase.files.StoreFileSet;
import io.github.rlsm.hbase.metrics.StoreMetrics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.AbstractFSWALProvider;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALSplitter;

/** A region on the local disk, without a server, that can be closed and opened again. */
public final class TestRegion implements AutoCloseable {
  /** The name of the only family. */
  public static final byte[] FAMILY = Bytes.toBytes("f");

  /** The size from which a partition's share of a flush becomes a run. */
  static final int FLUSH_RUN_BYTES = 3_000;

  private final Configuration conf;
  private final Path root;
  private final String name;
  private final RegionInfo info;
  private final ColumnFamilyDescriptor family;
  private final Map<String, String> options = new HashMap<>();
  private WALFactory logs;
  private String engine;
  private HRegion region;

  /** Creates a region and opens it. */
  public TestRegion(
      java.nio.file.Path folder, String name, String engine, ColumnFamilyDescriptor family)
      throws IOException {
    this(folder, name, engine, family, Map.of());
  }

  /**
   * Creates a region of our engine with a size of blocks and options of the table, and opens it.
   */
  TestRegion(java.nio.file.Path folder, String name, int blockBytes, Map<String, String> options)
      throws IOException {
    this(
        folder,
        name,
        RlsmStoreEngine.class.getName(),
        ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
            .setBlocksize(blockBytes)
            .build(),
        options);
  }

  /** Creates a region with options of the table, and opens it. */
  public TestRegion(
      java.nio.file.Path folder,
      String name,
      String engine,
      ColumnFamilyDescriptor family,
      Map<String, String> options)
      throws IOException {
    this.conf = HBaseConfiguration.create();
    this.root = new Path(folder.toUri().toString(), name);
    this.info = RegionInfoBuilder.newBuilder(TableName.valueOf(name)).build();
    this.family = family;
    this.options.putAll(options);
    this.engine = engine;
    this.name = name;
    conf.set(HConstants.HBASE_DIR, root.toString());
    conf.set("hbase.wal.provider", "filesystem");
    conf.setBoolean("hbase.unsafe.stream.capability.enforce", false);
    conf.setBoolean("hbase.hregion.memstore.mslab.enabled", false);
    conf.setLong("hbase.rlsm.partition.bytes.max", 12_000);
    conf.setInt("hbase.rlsm.row.files.max", 3);
    conf.setInt("hbase.rlsm.flush.run.bytes.min", FLUSH_RUN_BYTES);
    conf.setInt("hfile.format.version", 3);
    conf.set(HConstants.CRYPTO_KEYPROVIDER_CONF_KEY, EncryptedFamilyTest.FixedKey.class.getName());
    this.logs = new WALFactory(conf, name);
    this.region = HRegion.createHRegion(info, root, conf, table(), logs.getWAL(info));
  }

  /**
   * Opens a region whose folder exists, under the same root and with the same table except for its
   * name.
   */
  TestRegion(TestRegion relative, RegionInfo info) throws IOException {
    this.conf = relative.conf;
    this.root = relative.root;
    this.info = info;
    this.family = relative.family;
    this.options.putAll(relative.options);
    this.engine = relative.engine;
    this.name = info.getEncodedName();
    this.logs = new WALFactory(conf, name);
    this.region = HRegion.openHRegion(root, info, table(), logs.getWAL(info), conf);
  }

  /** A row by its number, in the order of numbers. */
  static byte[] row(int number) {
    return Bytes.toBytes(String.format(Locale.ROOT, "r%05d", number));
  }

  /** The table of the region. */
  public TableDescriptor table() {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(info.getTable())
        .setColumnFamily(family)
        .setValue(StoreEngine.STORE_ENGINE_CLASS_KEY, engine);
    options.forEach(table::setValue);
    return table.build();
  }

  /** The site's configuration. */
  public Configuration conf() {
    return conf;
  }

  /** The region. */
  public HRegion region() {
    return region;
  }

  /** The store of the family. */
  public HStore store() {
    return region.getStore(FAMILY);
  }

  /** The files of the store; only with the RLSM engine. */
  public StoreFileSet fileSet() {
    return (StoreFileSet) store().getStoreEngine().getStoreFileManager();
  }

  /** The class name of the store engine. */
  String engine() {
    return engine;
  }

  /** The root folder of HBase's files. */
  Path root() {
    return root;
  }

  Path folder() {
    return new Path(region.getRegionFileSystem().getRegionDir(), family.getNameAsString());
  }

  void reopen() throws IOException {
    shut();
    open();
  }

  /** Closes the region and opens it on a server. */
  void reopenOn(RegionServerServices server) throws IOException {
    shut();
    FileSystem files = FileSystem.get(root.toUri(), conf);
    region = HRegion.openHRegion(conf, files, root, info, table(), logs.getWAL(info), server, null);
  }

  void reopenWith(String other) throws IOException {
    engine = other;
    reopen();
  }

  void reopenWithOption(String name, String value) throws IOException {
    options.put(name, value);
    reopen();
  }

  void shut() throws IOException {
    region.close();
  }

  /** Stops without a flush, and prepares the log for a replay in {@link #open}. */
  void crash() throws IOException {
    region.close(true);
    logs.shutdown();
    FileSystem files = FileSystem.get(root.toUri(), conf);
    Path log = new Path(root, AbstractFSWALProvider.getWALDirectoryName(name));
    WALSplitter.split(root, log, new Path(root, "oldWALs"), files, conf, logs);
    logs = new WALFactory(conf, name + "-2");
  }

  void open() throws IOException {
    region = HRegion.openHRegion(root, info, table(), logs.getWAL(info), conf);
  }

  /** Runs a major compaction as requested by a user, which has no limit on the number of files. */
  public void compactEverything() throws IOException {
    store().triggerMajorCompaction();
    CompactionContext compaction = store()
        .requestCompaction(Store.PRIORITY_USER, CompactionLifeCycleTracker.DUMMY, null)
        .orElseThrow();
    region.compact(compaction, store(), NoLimitThroughputController.INSTANCE);
  }

  /** Runs all due compactions, one after another, and fails if there are more than a number. */
  void compactAll(int most) throws IOException {
    for (int i = 0; i < most; i++) {
      CompactionContext due = store().requestCompaction().orElse(null);
      if (due == null) {
        return;
      }
      region.compact(due, store(), NoLimitThroughputController.INSTANCE);
    }
    throw new AssertionError("Compactions never end: " + store().getStorefiles());
  }

  /** A counter of the engine, which all regions of this JVM share; 0 before its first use. */
  static long counter(String name) {
    return MetricRegistries.global()
        .get(StoreMetrics.PLACE)
        .flatMap(all -> all.get(name))
        .map(metric -> ((Counter) metric).getCount())
        .orElse(0L);
  }

  /** Returns the result of a scan, one line per cell. */
  public List<String> read(Scan scan) throws IOException {
    List<String> lines = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(scan)) {
      List<Cell> cells = new ArrayList<>();
      boolean more = true;
      while (more) {
        more = scanner.next(cells);
        for (Cell cell : cells) {
          int value = Arrays.hashCode(CellUtil.cloneValue(cell));
          lines.add(
              CellUtil.getCellKeyAsString(cell).replaceFirst("/seqid=\\d+", "") + " = " + value);
        }
        cells.clear();
        // As after each call of a client; HBase may then change to other readers.
        ((Shipper) scanner).shipped();
      }
    }
    return lines;
  }

  @Override
  public void close() throws IOException {
    region.close();
    logs.close();
  }
}
