// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import io.github.rlsm.hbase.compact.RlsmCompaction;
import io.github.rlsm.hbase.compact.RlsmCompactionPolicy;
import io.github.rlsm.hbase.compact.RlsmCompactor;
import io.github.rlsm.hbase.config.OptionProblems;
import io.github.rlsm.hbase.config.StoreSettings;
import io.github.rlsm.hbase.files.PartitionedStoreFile;
import io.github.rlsm.hbase.files.StoreFileSet;
import io.github.rlsm.hbase.flush.RlsmFlusher;
import io.github.rlsm.hbase.metrics.StoreMetrics;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;

/**
 * A store engine that keeps HFiles in row-range partitions and appends to a partition by adding a
 * file. An operator enables the engine with {@code hbase.hstore.engine.class}, for a table, a
 * family or a cluster. All files are plain HFiles, so setting the option back to HBase's own
 * engine, or removing it, needs no rewrite.
 *
 * <p>System tables keep a single partition, because some of them order their rows differently.
 * Families with large objects (MOB) never use a configurable engine.
 *
 * <p>Threads: created by the thread that opens the store; usable by any thread afterwards.
 */
public class RlsmStoreEngine
    extends StoreEngine<RlsmFlusher, RlsmCompactionPolicy, RlsmCompactor, StoreFileSet> {

  /** How this store's files are opened; empty if HBase opens them itself. */
  private Optional<FileOpening> opening = Optional.empty();

  private record FileOpening(Configuration conf, HStore store) {}

  /** Called by HBase. */
  public RlsmStoreEngine() {}

  @Override
  protected void createComponents(Configuration conf, HStore store, CellComparator cellComparator) {
    boolean partitioned = !store.getTableName().isSystemTable();
    compactionPolicy = new RlsmCompactionPolicy(conf, store, partitioned, OptionProblems::report);
    Supplier<StoreSettings> settings = compactionPolicy::settings;
    Optional<MergeRequests> requests = MergeRequests.of(store.getHRegion());
    storeFileManager = new StoreFileSet(
        settings,
        Math.toIntExact(store.getBlockingFileCount()),
        store.getTableName(),
        store.getColumnFamilyDescriptor(),
        StoreMetrics.ofServer(),
        () -> requests.ifPresent(ofServer -> ofServer.request(store)));
    compactor = new RlsmCompactor(conf, store);
    storeFlusher = new RlsmFlusher(conf, store, storeFileManager, settings);
    opening = partitioned ? Optional.of(new FileOpening(conf, store)) : Optional.empty();
  }

  @Override
  public HStoreFile createStoreFileAndReader(StoreFileInfo info) throws IOException {
    if (opening.isEmpty()) {
      return super.createStoreFileAndReader(info);
    }
    HStore store = opening.get().store();
    info.setRegionCoprocessorHost(store.getHRegion().getCoprocessorHost());
    PartitionedStoreFile file = new PartitionedStoreFile(
        info,
        store.getColumnFamilyDescriptor(),
        store.getCacheConfig(),
        getBloomFilterMetrics(),
        opening.get().conf());
    file.open();
    return file;
  }

  @Override
  public boolean needsCompaction(List<HStoreFile> filesCompacting) {
    return compactionPolicy.isDue(storeFileManager.now(), filesCompacting);
  }

  @Override
  public CompactionContext createCompaction() {
    return new RlsmCompaction(compactionPolicy, compactor, storeFileManager);
  }
}
