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
 * HBase's sorted segment with a hash table by row in front of it.
 *
 * <p>A cell that was added is in the table or in the sorted set at any moment: it is moved while
 * the table's entry of its row is locked, and that entry goes when all its cells are in the set. So
 * whoever {@linkplain #drain() drains} finds all cells of before in the set, also if others drain
 * or add meanwhile; and {@linkplain #drain(Row) of one row} alike.
 *
 * <p>A cell counts when it is added, and not again when it is moved. Of two cells of one batch with
 * the same key, which are one cell in the set, both count; HBase's segment does the same where it
 * copies cells into memory of its own.
 *
 * <p>Threads: any. HBase keeps writers off while it {@linkplain MembufferMemStore#snapshot() takes
 * a snapshot}, and lets one thread at a time update a row.
 */
final class BufferedSegment extends MutableSegment {

  private final ConcurrentHashMap<Row, List<Cell>> rows = new ConcurrentHashMap<>();
  private final AtomicInteger buffered = new AtomicInteger();
  private final AtomicBoolean draining = new AtomicBoolean();
  private final int cellsMax;
  private final Executor background;

  /**
   * An empty one.
   *
   * @param cellsMax how many cells the table may have
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
      // Those of the same batch with the same key are to be replaced, not to replace.
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

  /**
   * Cells that it replaces are looked for in the sorted set, so all of the row have to be there.
   */
  @Override
  public void upsert(
      Cell cell, long readpoint, MemStoreSizing sizing, boolean sizeAddedPreOperation) {
    drain(Row.of(cell));
    super.upsert(cell, readpoint, sizing, sizeAddedPreOperation);
  }

  private void drainInBackground() {
    // Memory of cells is not given back while somebody counts as a scanner.
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

  /** Moves all cells into the sorted set, in order, so that each finds its place near the last. */
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

  /** A scanner of the sorted set alone. */
  KeyValueScanner scanSorted(long readPoint) {
    return getScanner(readPoint);
  }
}
