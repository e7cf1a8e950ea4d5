// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.memstore;

import io.github.rlsm.hbase.config.MembufferSettings;
import io.github.rlsm.hbase.config.OptionProblems;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.exceptions.UnexpectedStateException;
import org.apache.hadoop.hbase.regionserver.AbstractMemStore;
import org.apache.hadoop.hbase.regionserver.ImmutableSegment;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.MemStore;
import org.apache.hadoop.hbase.regionserver.MemStoreSize;
import org.apache.hadoop.hbase.regionserver.MemStoreSizing;
import org.apache.hadoop.hbase.regionserver.MemStoreSnapshot;
import org.apache.hadoop.hbase.regionserver.RegionServicesForStores;
import org.apache.hadoop.hbase.regionserver.SegmentFactory;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.Threads;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.ThreadFactoryBuilder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A memstore that takes cells into a small hash table by row and moves them in sorted batches into
 * HBase's sorted segment. Cells are moved in the background, or when a scan, a snapshot or an
 * update of the row needs them in order. Otherwise it behaves like HBase's default memstore, whose
 * active segment HBase lets no other package replace.
 *
 * <p>HBase creates one for each store of a table whose {@code hbase.regionserver.memstore.class}
 * names this class. The family must have no in-memory compaction. With in-memory compaction HBase
 * requires a different kind of memstore, and the region cannot be opened.
 *
 * <p>Threads: any; snapshots are taken and cleared under HBase's locks.
 */
public final class MembufferMemStore implements MemStore {

  private static final Logger LOG = LoggerFactory.getLogger(MembufferMemStore.class);
  private static final long NO_SNAPSHOT = -1;

  /** Shared by all stores of a server. A thread that cannot wait for a drain performs it itself. */
  private static final Executor DRAINS = drains();

  private final Configuration conf;
  private final CellComparator comparator;
  private final @Nullable RegionServicesForStores region;
  private final int cellsMax;
  private final Executor background;

  private volatile BufferedSegment active;
  private volatile ImmutableSegment snapshot;
  private volatile long snapshotId = NO_SNAPSHOT;
  private volatile long timeOfOldestEdit = Long.MAX_VALUE;

  /** Called by HBase. */
  public MembufferMemStore(
      Configuration conf, CellComparator comparator, @Nullable RegionServicesForStores region) {
    this(conf, comparator, region, DRAINS);
  }

  MembufferMemStore(
      Configuration conf,
      CellComparator comparator,
      @Nullable RegionServicesForStores region,
      Executor background) {
    this.conf = conf;
    this.comparator = comparator;
    this.region = region;
    this.background = background;
    this.cellsMax = MembufferSettings.of(conf, OptionProblems::report).cellsMax();
    this.active = newActive();
    this.snapshot = SegmentFactory.instance().createImmutableSegment(comparator);
  }

  private static Executor drains() {
    ThreadPoolExecutor executor = new ThreadPoolExecutor(
        1,
        1,
        1,
        TimeUnit.MINUTES,
        new LinkedBlockingQueue<>(),
        new ThreadFactoryBuilder()
            .setNameFormat("rlsm-membuffer")
            .setDaemon(true)
            .setUncaughtExceptionHandler(Threads.LOGGING_EXCEPTION_HANDLER)
            .build());
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  private BufferedSegment newActive() {
    BufferedSegment made = new BufferedSegment(conf, comparator, cellsMax, background);
    grow(0, made.getHeapSize(), made.getOffHeapSize());
    return made;
  }

  /** Reports a size change to the region that no method can return to its caller. */
  private void grow(long data, long heap, long offHeap) {
    if (region != null) {
      region.addMemStoreSize(data, heap, offHeap, 0);
    }
  }

  /** HBase returns a different object if it has copied the cell. */
  @Override
  @SuppressWarnings("ReferenceEquality")
  public void add(Cell cell, MemStoreSizing sizing) {
    BufferedSegment segment = active;
    Cell own = segment.maybeCloneWithAllocator(cell, false);
    boolean inLab = own != cell;
    // The cell that HBase hands over lies in the memory of a request.
    segment.add(inLab ? own : copy(cell), inLab, sizing, false);
    touch();
  }

  @Override
  public void add(Iterable<Cell> cells, MemStoreSizing sizing) {
    cells.forEach(cell -> add(cell, sizing));
  }

  @Override
  public void upsert(Iterable<Cell> cells, long readpoint, MemStoreSizing sizing) {
    BufferedSegment segment = active;
    // As in HBase, upserted cells are not allocated in chunks, which are only freed as a whole:
    // most of these cells are soon replaced.
    cells.forEach(cell -> segment.upsert(copy(cell), readpoint, sizing, false));
    touch();
  }

  private static Cell copy(Cell cell) {
    return cell instanceof ExtendedCell extended ? extended.deepClone() : cell;
  }

  private void touch() {
    if (timeOfOldestEdit == Long.MAX_VALUE) {
      timeOfOldestEdit = EnvironmentEdgeManager.currentTime();
    }
  }

  @Override
  public MemStoreSnapshot snapshot() {
    if (snapshot.isEmpty()) {
      snapshotId = EnvironmentEdgeManager.currentTime();
      freeze();
    } else {
      LOG.warn("The previous snapshot is not flushed yet; a flush may have failed");
    }
    return new MemStoreSnapshot(snapshotId, snapshot);
  }

  private void freeze() {
    BufferedSegment segment = active;
    segment.drain();
    if (segment.isEmpty()) {
      return;
    }
    MemStoreSize before = segment.getMemStoreSize();
    ImmutableSegment frozen = SegmentFactory.instance().createImmutableSegment(segment, null);
    MemStoreSize after = frozen.getMemStoreSize();
    grow(
        after.getDataSize() - before.getDataSize(),
        after.getHeapSize() - before.getHeapSize(),
        after.getOffHeapSize() - before.getOffHeapSize());
    // In this order, a concurrent call for scanners may get the cells twice but cannot miss them.
    snapshot = frozen;
    active = newActive();
    timeOfOldestEdit = Long.MAX_VALUE;
  }

  @Override
  public void clearSnapshot(long id) throws UnexpectedStateException {
    if (snapshotId == NO_SNAPSHOT) {
      return;
    }
    if (snapshotId != id) {
      throw new UnexpectedStateException(
          "Cannot clear snapshot " + id + ": the current snapshot is " + snapshotId);
    }
    ImmutableSegment flushed = snapshot;
    snapshot = SegmentFactory.instance().createImmutableSegment(comparator);
    snapshotId = NO_SNAPSHOT;
    flushed.close();
  }

  @Override
  public List<KeyValueScanner> getScanners(long readPoint) {
    List<KeyValueScanner> scanners = new ArrayList<>();
    scanners.add(new DrainingScanner(active, readPoint));
    AbstractMemStore.addToScanners(snapshot.getAllSegments(), readPoint, scanners);
    return scanners;
  }

  @Override
  public MemStoreSize size() {
    return active.getMemStoreSize();
  }

  @Override
  public MemStoreSize getSnapshotSize() {
    return snapshot.getMemStoreSize();
  }

  @Override
  public MemStoreSize getFlushableSize() {
    MemStoreSize ofSnapshot = getSnapshotSize();
    return ofSnapshot.getDataSize() > 0 ? ofSnapshot : size();
  }

  @Override
  public long timeOfOldestEdit() {
    return timeOfOldestEdit;
  }

  /** A snapshot takes all cells. */
  @Override
  public long preFlushSeqIDEstimation() {
    return HConstants.NO_SEQNUM;
  }

  @Override
  public boolean isSloppy() {
    return false;
  }

  @Override
  public void close() {
    active.close();
  }
}
