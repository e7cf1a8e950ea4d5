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
  private final @Nullable PassedVersions passed;
  private boolean sought;
  private @Nullable Cell wanted;

  /**
   * The scan's requirements of a scanner.
   *
   * @param readPoint the sequence id up to which cells are visible
   * @param order the scanner's order among others
   * @param withoutNullColumn whether the scan wants no cell without a column
   * @param passed counts the dead versions that the scan passes; null if it does not count
   */
  record Scope(
      long readPoint,
      long order,
      boolean withoutNullColumn,
      @Nullable PassedVersions passed) {

    /** The scope of a scanner that looks up values of value files. */
    static final Scope OF_VALUES = new Scope(Long.MAX_VALUE, 0, false, null);
  }

  /**
   * Creates a scanner of a file.
   *
   * @param beforeFirst a cell that sorts before the file's first row. It is null for the scanner of
   *     a compaction or of a value file, which never defers a seek and sees cells above any read
   *     point
   */
  LateFileScanner(
      StoreFileReader reader, HFileScanner blocks, @Nullable Cell beforeFirst, Scope scope) {
    super(
        reader,
        blocks,
        beforeFirst != null,
        reader.getHFileReader().hasMVCCInfo(),
        scope.readPoint(),
        scope.order(),
        scope.withoutNullColumn(),
        reader.getHFileReader().getDataBlockEncoding() == DataBlockEncoding.ROW_INDEX_V1);
    this.comparator = reader.getComparator();
    this.beforeFirst = beforeFirst;
    this.passed = scope.passed();
  }

  /** Counts the cell that the scanner shows. Call this before the scanner passes it. */
  final void count() {
    Cell cell = passed != null && realSeekDone() ? peek() : null;
    if (passed != null && cell != null) {
      passed.add(cell);
    }
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
    count();
    return sought ? super.reseek(key) : seek(key);
  }

  @Override
  public boolean requestSeek(Cell key, boolean forward, boolean useBloom) throws IOException {
    if (defers(key)) {
      return true;
    }
    boolean moved = sought && forward;
    count();
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
    count();
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

  @Override
  public void shipped() throws IOException {
    pay();
    super.shipped();
  }

  @Override
  public void close() {
    pay();
    super.close();
  }

  private void pay() {
    if (passed != null) {
      passed.pay();
    }
  }
}
