// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.memstore;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.NonLazyKeyValueScanner;

/**
 * A scanner of a segment that first moves the cells a scan may see into the sorted set: the cells
 * of a Get's row, or all cells.
 *
 * <p>HBase requests scanners from a memstore without naming the scan, and asks each scanner later
 * whether the scan needs it. The scanner moves the cells at that moment. Cells that are added later
 * do not matter, because a scan sees only writes that were complete when it began. A caller that
 * does not ask gets a full drain.
 *
 * <p>Threads: one at a time.
 */
final class DrainingScanner extends NonLazyKeyValueScanner {

  private final BufferedSegment segment;
  private final long readPoint;
  private Optional<KeyValueScanner> sorted = Optional.empty();
  private boolean closed;

  /** Creates a scanner that keeps the segment's memory until the scanner is closed. */
  DrainingScanner(BufferedSegment segment, long readPoint) {
    this.segment = segment;
    this.readPoint = readPoint;
    segment.incScannerCount();
  }

  @Override
  public boolean shouldUseScanner(Scan scan, HStore store, long oldestUnexpiredTimestamp) {
    if (sorted.isEmpty() && scan.isGetScan()) {
      segment.drain(Row.of(scan.getStartRow()));
      sorted = Optional.of(segment.scanSorted(readPoint));
    }
    return sorted().shouldUseScanner(scan, store, oldestUnexpiredTimestamp);
  }

  private KeyValueScanner sorted() {
    if (sorted.isEmpty()) {
      segment.drain();
      sorted = Optional.of(segment.scanSorted(readPoint));
    }
    return sorted.get();
  }

  @Override
  public Cell peek() {
    return sorted().peek();
  }

  @Override
  public Cell next() throws IOException {
    return sorted().next();
  }

  @Override
  public boolean seek(Cell key) throws IOException {
    return sorted().seek(key);
  }

  @Override
  public boolean reseek(Cell key) throws IOException {
    return sorted().reseek(key);
  }

  @Override
  public boolean backwardSeek(Cell key) throws IOException {
    return sorted().backwardSeek(key);
  }

  @Override
  public boolean seekToPreviousRow(Cell key) throws IOException {
    return sorted().seekToPreviousRow(key);
  }

  @Override
  public boolean seekToLastRow() throws IOException {
    return sorted().seekToLastRow();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      sorted.ifPresent(KeyValueScanner::close);
      segment.decScannerCount();
    }
  }
}
