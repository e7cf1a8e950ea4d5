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
 * A scanner of a segment that first moves what the scan may see into its sorted set: the cells of
 * the row that a Get asks for, or all.
 *
 * <p>HBase asks a memstore for scanners without saying what for, and asks each scanner later
 * whether the scan needs it; that is when the cells are moved. Cells that are added after it are of
 * no concern, since a scan sees what was complete when it began. Whoever does not ask gets all.
 *
 * <p>Threads: one at a time.
 */
final class DrainingScanner extends NonLazyKeyValueScanner {

  private final BufferedSegment segment;
  private final long readPoint;
  private Optional<KeyValueScanner> sorted = Optional.empty();
  private boolean closed;

  /** Keeps the segment's memory from being given back until it is closed. */
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
