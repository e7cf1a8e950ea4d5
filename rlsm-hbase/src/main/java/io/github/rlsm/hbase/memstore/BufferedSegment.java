// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.memstore;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.regionserver.CellSet;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.MemStoreLAB;
import org.apache.hadoop.hbase.regionserver.MemStoreSizing;
import org.apache.hadoop.hbase.regionserver.MutableSegment;

/**
 * A segment with a hash table by row in front of HBase's sorted segment.
 *
 * <p>At any moment an added cell is in the table or in the sorted set. Cells are moved while the
 * table's entry of their row is locked, and the entry is removed once all its cells are in the set.
 * So after a {@linkplain #drain() drain} all cells added before it are in the set, even if other
 * threads drain or add concurrently. The same holds for a drain {@linkplain #drain(Row) of one
 * row}.
 *
 * <p>A cell is counted when it is added, and not again when it is moved. If a batch has two cells
 * with the same key, both count although the set keeps one. HBase's segment does the same where it
 * copies cells into its own memory.
 *
 * <p>Threads: any. HBase blocks writers while it {@linkplain MembufferMemStore#snapshot() takes a
 * snapshot}, and lets one thread at a time update a row.
 */
final class BufferedSegment extends MutableSegment {

  private final ConcurrentHashMap<Row, List<Cell>> rows = new ConcurrentHashMap<>();
  private final AtomicInteger buffered = new AtomicInteger();
  private final AtomicBoolean draining = new AtomicBoolean();
  private final int cellsMax;
  private final Executor background;

  /**
   * Creates an empty segment.
   *
   * @param cellsMax the capacity of the table, in cells
   * @param background drains the table when it is half full
   */
  BufferedSegment(
      Configuration conf, CellComparator comparator, int cellsMax, Executor background) {
    super(new CellSet(comparator), comparator, MemStoreLAB.newInstance(conf), null);
    this.cellsMax = cellsMax;
    this.background = background;
  }

  @Override
  public void add(
      Cell cell, boolean mslabUsed, MemStoreSizing sizing, boolean sizeAddedPreOperation) {
    Row row = Row.of(cell);
    if (buffered.get() >= cellsMax) {
      // The row's buffered cells enter the set first, so that a newer one with the same key wins.
      drain(row);
      super.add(cell, mslabUsed, sizing, sizeAddedPreOperation);
      return;
    }
    rows.compute(row, (key, cells) -> {
      List<Cell> all = cells == null ? new ArrayList<>(1) : cells;
      all.add(cell);
      return all;
    });
    updateMetaInfo(cell, true, mslabUsed, sizing, sizeAddedPreOperation);
    if (buffered.incrementAndGet() >= cellsMax / 2 && draining.compareAndSet(false, true)) {
      drainInBackground();
    }
  }

  /** The sorted set is searched for replaced cells, so all cells of the row must be in it. */
  @Override
  public void upsert(
      Cell cell, long readpoint, MemStoreSizing sizing, boolean sizeAddedPreOperation) {
    drain(Row.of(cell));
    super.upsert(cell, readpoint, sizing, sizeAddedPreOperation);
  }

  private void drainInBackground() {
    // The memory of cells is not freed while a scanner is counted.
    incScannerCount();
    background.execute(() -> {
      try {
        drain();
      } finally {
        draining.set(false);
        decScannerCount();
      }
    });
  }

  /**
   * Moves all cells into the sorted set, in row order, so that each insertion is near the last one.
   */
  void drain() {
    List<Row> sorted = new ArrayList<>(rows.keySet());
    sorted.sort(null);
    sorted.forEach(this::drain);
  }

  /** Moves the cells of a row into the sorted set. */
  void drain(Row row) {
    rows.computeIfPresent(row, (key, cells) -> {
      cells.forEach(getCellSet()::add);
      buffered.addAndGet(-cells.size());
      return null;
    });
  }

  /** Creates a scanner of the sorted set only. */
  KeyValueScanner scanSorted(long readPoint) {
    return getScanner(readPoint);
  }
}
