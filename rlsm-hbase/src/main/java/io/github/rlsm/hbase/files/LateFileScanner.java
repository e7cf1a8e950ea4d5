// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;
import org.jspecify.annotations.Nullable;

/**
 * A scanner that reads nothing of its file before the scan reaches the file's first row. A store
 * with many partitions has many files behind a scan's first row. HBase's scanner reads a block of
 * each of them when the scan begins.
 *
 * <p>Until then this scanner shows a cell that sorts before the file's first row and reports that
 * no real seek was done, as HBase's scanner does for a lazy seek. HBase's heap makes such a scanner
 * seek before it uses the cell. From its first real seek on, and in reverse scans, the scanner
 * behaves like HBase's own.
 *
 * <p>Threads: one at a time.
 */
class LateFileScanner extends StoreFileScanner {

  private final CellComparator comparator;
  private final @Nullable Cell beforeFirst;
  private boolean sought;
  private @Nullable Cell wanted;

  /**
   * Creates a scanner of a file.
   *
   * @param beforeFirst a cell that sorts before the file's first row. It is null for the scanner of
   *     a compaction or of a value file, which never defers a seek and sees cells above any read
   *     point
   * @param order the scanner's order among others
   */
  LateFileScanner(
      StoreFileReader reader,
      HFileScanner blocks,
      @Nullable Cell beforeFirst,
      long readPoint,
      long order,
      boolean withoutNullColumn) {
    super(
        reader,
        blocks,
        beforeFirst != null,
        reader.getHFileReader().hasMVCCInfo(),
        readPoint,
        order,
        withoutNullColumn,
        reader.getHFileReader().getDataBlockEncoding() == DataBlockEncoding.ROW_INDEX_V1);
    this.comparator = reader.getComparator();
    this.beforeFirst = beforeFirst;
  }

  /** Defers a seek if the key lies before the file; returns whether the seek was deferred. */
  private boolean defers(Cell key) throws IOException {
    Cell before = beforeFirst;
    if (sought || before == null || comparator.compareRows(key, before) >= 0) {
      return false;
    }
    wanted = key;
    setCurrentCell(before);
    return true;
  }

  private void begin() {
    sought = true;
    wanted = null;
  }

  @Override
  public boolean seek(Cell key) throws IOException {
    if (defers(key)) {
      return true;
    }
    begin();
    return super.seek(key);
  }

  @Override
  public boolean reseek(Cell key) throws IOException {
    return sought ? super.reseek(key) : seek(key);
  }

  @Override
  public boolean requestSeek(Cell key, boolean forward, boolean useBloom) throws IOException {
    if (defers(key)) {
      return true;
    }
    boolean moved = sought && forward;
    begin();
    return super.requestSeek(key, moved, useBloom);
  }

  @Override
  public boolean realSeekDone() {
    return wanted == null && super.realSeekDone();
  }

  @Override
  public void enforceSeek() throws IOException {
    Cell key = wanted;
    if (key == null) {
      super.enforceSeek();
    } else {
      begin();
      super.seek(key);
    }
  }

  @Override
  public Cell next() throws IOException {
    enforceSeek();
    return super.next();
  }

  @Override
  public boolean backwardSeek(Cell key) throws IOException {
    begin();
    return super.backwardSeek(key);
  }

  @Override
  public boolean seekToLastRow() throws IOException {
    begin();
    return super.seekToLastRow();
  }

  @Override
  public boolean seekToPreviousRow(Cell key) throws IOException {
    begin();
    return super.seekToPreviousRow(key);
  }
}
