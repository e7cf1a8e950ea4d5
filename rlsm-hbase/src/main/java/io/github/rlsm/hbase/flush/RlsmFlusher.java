// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.flush;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.hbase.config.StoreSettings;
import io.github.rlsm.hbase.files.StoreFileSet;
import io.github.rlsm.hbase.layout.Layout;
import io.github.rlsm.hbase.metrics.StoreMetrics;
import io.github.rlsm.hbase.values.ValueReferenceTag;
import io.github.rlsm.hbase.write.FilePlan;
import io.github.rlsm.hbase.write.PartitionedFileWriter;
import io.github.rlsm.hbase.write.SeparatingWriter;
import io.github.rlsm.hbase.write.SizedBlocks;
import io.github.rlsm.policy.RunShape;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.monitoring.MonitoredTask;
import org.apache.hadoop.hbase.regionserver.AbstractMultiFileWriter;
import org.apache.hadoop.hbase.regionserver.CreateStoreFileWriterParams;
import org.apache.hadoop.hbase.regionserver.DefaultStoreFlusher;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.MemStoreSnapshot;
import org.apache.hadoop.hbase.regionserver.throttle.ThroughputController;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flushes directly into partitions with enough bytes, and writes the rest to wide files.
 *
 * <p>If large values are most of a flush, they go to one complete file with key files beside it
 * ({@link SeparatingWriter}). Otherwise only the last file carries the flush's sequence id
 * ({@link PartitionedFileWriter}). The other files carry the largest sequence id that the store had
 * before. This is also correct for their age: their cells keep their own sequence ids, and HBase
 * uses these where two files hold the same cell.
 *
 * <p>Threads: HBase flushes a store with one thread at a time.
 */
public final class RlsmFlusher extends DefaultStoreFlusher {

  private static final Logger LOG = LoggerFactory.getLogger(RlsmFlusher.class);

  private final StoreFileSet files;
  private final Supplier<StoreSettings> settings;
  private final SizedBlocks blocks;

  /** Creates the flusher of a store. */
  public RlsmFlusher(
      Configuration conf, HStore store, StoreFileSet files, Supplier<StoreSettings> settings) {
    super(conf, store);
    this.files = files;
    this.settings = settings;
    this.blocks = new SizedBlocks(conf, store);
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
    AbstractMultiFileWriter writer = writer(snapshot, cacheFlushId, writerCreationTracker);
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

  private AbstractMultiFileWriter writer(
      MemStoreSnapshot snapshot, long cacheFlushId, Consumer<Path> created) throws IOException {
    StoreSettings now = settings.get();
    Layout<HStoreFile> layout = files.layout();
    List<byte[]> bounds = layout.bounds();
    LongConsumer meter = StoreMetrics.ofServer().written("flush");
    Weight weight = weigh(snapshot, bounds, now.values().separatedBytesMin());
    if (weight.isMostlyLarge(snapshot.getCellsCount(), now.values().separatedBytesMin())) {
      List<byte[]> cuts = FlushCuts.choose(weight.bytes, bounds, now.flushRunBytesMin());
      SeparatingWriter writer = new SeparatingWriter(
          store.getComparator(),
          new SeparatingWriter.Plan(
              Optional.of(plan(List.of(), cacheFlushId)),
              plan(cuts, cacheFlushId),
              now.values().separatedBytesMin(),
              List.of(),
              blocks.offsets(params(snapshot, created))),
          meter);
      writer.init(
          () -> blocks.create(params(snapshot, created), blocks.bytes().values()),
          () -> blocks.create(
              params(snapshot, created).includesTag(true), blocks.bytes().keys()));
      return writer;
    }
    long before = files.getStoreFiles().stream()
        .mapToLong(HStoreFile::getMaxSequenceId)
        .max()
        .orElse(0);
    // Without an earlier sequence id, the files before the last one could carry none.
    List<byte[]> cuts = before <= 0 || before >= cacheFlushId
        ? List.of()
        : FlushCuts.choose(weight.bytes, bounds, now.flushRunBytesMin());
    PartitionedFileWriter writer =
        new PartitionedFileWriter(store.getComparator(), plan(cuts, before), meter);
    int share = blocks.bytes().ofShare(weight.share(layout));
    writer.init(null, () -> blocks.create(params(snapshot, created), share));
    return writer;
  }

  private CreateStoreFileWriterParams params(MemStoreSnapshot snapshot, Consumer<Path> created) {
    return CreateStoreFileWriterParams.create()
        .maxKeyCount(snapshot.getCellsCount())
        .compression(store.getColumnFamilyDescriptor().getCompressionType())
        .isCompaction(false)
        .includeMVCCReadpoint(true)
        .includesTag(snapshot.isTagsPresent())
        .shouldDropBehind(false)
        .writerCreationTracker(created);
  }

  private static FilePlan plan(List<byte[]> cuts, long seqId) {
    return new FilePlan(cuts, FilePlan.UNCUT, seqId, false, false);
  }

  /** A snapshot's bytes for each partition, its bytes of large values, and its rows. */
  private static final class Weight {
    private final long[] bytes;
    private long largeBytes;
    private @Nullable KeyRange span;

    Weight(int partitions) {
      bytes = new long[partitions];
    }

    /**
     * Whether large values average at least half the separation threshold over all cells. With
     * fewer large values, writing cells twice costs more than compactions save.
     */
    boolean isMostlyLarge(int cells, int largeMin) {
      return largeBytes > 0 && 2 * largeBytes >= (long) cells * largeMin;
    }

    /** The part that the flush will have of the bytes over its rows. */
    double share(Layout<HStoreFile> layout) {
      return span == null ? 1 : layout.share(span, LongStream.of(bytes).sum());
    }
  }

  /**
   * Weighs a snapshot in one pass over memory. Without partitions, separation and blocks of several
   * sizes nothing depends on the weight, so the pass is omitted.
   */
  private Weight weigh(MemStoreSnapshot snapshot, List<byte[]> bounds, int largeMin)
      throws IOException {
    Weight weight = new Weight(bounds.size() + 1);
    if (bounds.isEmpty() && largeMin == 0 && blocks.bytes().isOneSize()) {
      return weight;
    }
    List<KeyValueScanner> scanners = snapshot.getScanners();
    try {
      for (KeyValueScanner scanner : scanners) {
        weigh(scanner, bounds, largeMin, weight);
      }
    } finally {
      scanners.forEach(KeyValueScanner::close);
    }
    return weight;
  }

  private void weigh(KeyValueScanner scanner, List<byte[]> bounds, int largeMin, Weight weight)
      throws IOException {
    CellComparator comparator = store.getComparator();
    int partition = 0;
    Cell first = scanner.peek();
    Cell last = first;
    for (Cell cell = scanner.next(); cell != null; cell = scanner.next()) {
      last = cell;
      while (partition < bounds.size() && isFrom(comparator, cell, bounds.get(partition))) {
        partition++;
      }
      weight.bytes[partition] += cell.getSerializedSize();
      int length = cell.getValueLength();
      if (largeMin > 0 && length >= largeMin && ValueReferenceTag.fits(cell)) {
        weight.largeBytes += length;
      }
    }
    if (last != null) {
      weight.span = KeyRange.hull(
          weight.span, RunShape.span(CellUtil.cloneRow(first), CellUtil.cloneRow(last)));
    }
  }

  private static boolean isFrom(CellComparator comparator, Cell cell, byte[] bound) {
    return comparator.compareRows(cell, bound, 0, bound.length) >= 0;
  }

  private void discard(AbstractMultiFileWriter writer) {
    for (Path path : writer.abortWriters()) {
      try {
        store.getFileSystem().delete(path, false);
      } catch (IOException e) {
        LOG.warn("Cannot delete file {} of a failed flush", path, e);
      }
    }
  }
}
