// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.flush;

import io.github.rlsm.hbase.config.StoreSettings;
import io.github.rlsm.hbase.files.StoreFileSet;
import io.github.rlsm.hbase.metrics.StoreMetrics;
import io.github.rlsm.hbase.write.FilePlan;
import io.github.rlsm.hbase.write.PartitionedFileWriter;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.monitoring.MonitoredTask;
import org.apache.hadoop.hbase.regionserver.DefaultStoreFlusher;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.MemStoreSnapshot;
import org.apache.hadoop.hbase.regionserver.throttle.ThroughputController;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flushes into partitions where there is enough for them, and the rest into wide files.
 *
 * <p>Only the last file carries the flush's sequence id ({@link PartitionedFileWriter}). The others
 * carry the largest one the store had before, which is also right for their age: their cells keep
 * sequence ids of their own, and HBase goes by these where two files hold the same cell.
 *
 * <p>Threads: HBase flushes a store by one thread at a time.
 */
public final class RlsmFlusher extends DefaultStoreFlusher {

  private static final Logger LOG = LoggerFactory.getLogger(RlsmFlusher.class);

  private final StoreFileSet files;
  private final Supplier<StoreSettings> settings;

  /** The flusher of a store. */
  public RlsmFlusher(
      Configuration conf, HStore store, StoreFileSet files, Supplier<StoreSettings> settings) {
    super(conf, store);
    this.files = files;
    this.settings = settings;
  }

  @Override
  public List<Path> flushSnapshot(
      MemStoreSnapshot snapshot,
      long cacheFlushId,
      MonitoredTask status,
      ThroughputController throughput,
      FlushLifeCycleTracker tracker,
      Consumer<Path> writerCreationTracker)
      throws IOException {
    if (snapshot.getCellsCount() == 0) {
      return List.of();
    }
    FilePlan plan = plan(snapshot, cacheFlushId);
    PartitionedFileWriter writer = new PartitionedFileWriter(
        store.getComparator(), plan, StoreMetrics.ofServer().written("flush"));
    writer.init(null, () -> createWriter(snapshot, false, writerCreationTracker));
    boolean finished = false;
    try (InternalScanner scanner = createScanner(snapshot.getScanners(), tracker)) {
      status.setStatus("Flushing " + store + ": writing");
      performFlush(scanner, writer, throughput);
      status.setStatus("Flushing " + store + ": closing flushed files");
      List<Path> paths = writer.commitWriters(cacheFlushId, false);
      finished = true;
      LOG.info(
          "Flushed {} bytes of {} to {} files at sequence id {}",
          snapshot.getDataSize(),
          store,
          paths.size(),
          cacheFlushId);
      return paths;
    } finally {
      if (!finished) {
        discard(writer);
      }
    }
  }

  private FilePlan plan(MemStoreSnapshot snapshot, long cacheFlushId) throws IOException {
    StoreSettings now = settings.get();
    long before = files.getStoreFiles().stream()
        .mapToLong(HStoreFile::getMaxSequenceId)
        .max()
        .orElse(0);
    List<byte[]> bounds = files.layout().bounds();
    // Without a sequence id of before there is none to give to files before the last one.
    List<byte[]> cuts = before <= 0 || before >= cacheFlushId || bounds.isEmpty()
        ? List.of()
        : FlushCuts.choose(weigh(snapshot, bounds), bounds, now.flushRunBytesMin());
    return new FilePlan(cuts, FilePlan.UNCUT, before, false, false, now.filterBits());
  }

  /** What comes for each partition, by one pass over memory. */
  private long[] weigh(MemStoreSnapshot snapshot, List<byte[]> bounds) throws IOException {
    long[] bytes = new long[bounds.size() + 1];
    List<KeyValueScanner> scanners = snapshot.getScanners();
    try {
      for (KeyValueScanner scanner : scanners) {
        weigh(scanner, bounds, bytes);
      }
    } finally {
      scanners.forEach(KeyValueScanner::close);
    }
    return bytes;
  }

  private void weigh(KeyValueScanner scanner, List<byte[]> bounds, long[] bytes)
      throws IOException {
    CellComparator comparator = store.getComparator();
    int partition = 0;
    for (Cell cell = scanner.next(); cell != null; cell = scanner.next()) {
      while (partition < bounds.size() && isFrom(comparator, cell, bounds.get(partition))) {
        partition++;
      }
      bytes[partition] += cell.getSerializedSize();
    }
  }

  private static boolean isFrom(CellComparator comparator, Cell cell, byte[] bound) {
    return comparator.compareRows(cell, bound, 0, bound.length) >= 0;
  }

  private void discard(PartitionedFileWriter writer) {
    for (Path path : writer.abortWriters()) {
      try {
        store.getFileSystem().delete(path, false);
      } catch (IOException e) {
        LOG.warn("Cannot delete {}, a file of a failed flush", path, e);
      }
    }
  }
}
