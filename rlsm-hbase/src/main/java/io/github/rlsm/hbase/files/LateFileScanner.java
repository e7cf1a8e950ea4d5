// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;
import org.jspecify.annotations.Nullable;

/**
 * A scanner that reads its file as late as possible.
 *
 * <ul>
 *   <li>A scan may not have reached the file's first row. A store with many partitions has many
 *       files behind a scan's first row. HBase's scanner reads a block of each of them when the
 *       scan begins.
 *   <li>A Get may find all that it needs in newer files. If the {@link FileColumns} are known, no
 *       cell of the row sorts before the first wanted column with the file's largest timestamp.
 *       HBase's scanner reads a block of each file that has a version of the row, unless the Get
 *       names its columns.
 * </ul>
 *
 * <p>Until it reads, this scanner shows a cell that does not sort after its next one. It reports
 * that no real seek was done, as HBase's scanner does for a lazy seek. HBase's heap makes such a
 * scanner seek before it uses the cell. From its first real seek on, and in reverse scans, the
 * scanner behaves like HBase's own. But a Get does not leave the row: the file's next row may be in
 * another block.
 *
 * <p>Threads: one at a time.
 */
class LateFileScanner extends StoreFileScanner {

  private final StoreFileReader reader;
  private final CellComparator comparator;
  private final @Nullable Known known;
  private final @Nullable PassedVersions passed;
  private @Nullable FileColumns ofGet;
  private @Nullable FoundVersions found;
  private boolean sought;
  private boolean skips;
  private @Nullable Cell bound;

  /**
   * What is known about a file's cells without a read.
   *
   * @param beforeFirst a cell that sorts before the file's first row
   * @param columns the columns of all cells; null if they are many, or HBase wrote the file
   */
  record Known(Cell beforeFirst, @Nullable FileColumns columns) {}

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
   * @param known what allows it to defer a seek. It is null for the scanner of a compaction or of a
   *     value file, which never defers one and sees cells above any read point
   */
  LateFileScanner(StoreFileReader reader, HFileScanner blocks, @Nullable Known known, Scope scope) {
    super(
        reader,
        blocks,
        known != null,
        reader.getHFileReader().hasMVCCInfo(),
        scope.readPoint(),
        scope.order(),
        scope.withoutNullColumn(),
        reader.getHFileReader().getDataBlockEncoding() == DataBlockEncoding.ROW_INDEX_V1);
    this.reader = reader;
    this.comparator = reader.getComparator();
    this.known = known;
    this.passed = scope.passed();
  }

  /** HBase calls this for each scanner of a user's scan, before it reads. */
  @Override
  public boolean shouldUseScanner(Scan scan, HStore store, long oldestUnexpiredTS) {
    boolean isUsed = super.shouldUseScanner(scan, store, oldestUnexpiredTS);
    if (isUsed && known != null && scan.isGetScan()) {
      found = FoundVersions.of(scan, store);
      ofGet = found == null ? null : known.columns();
    }
    return isUsed;
  }

  @Override
  protected void setCurrentCell(@Nullable Cell cell) throws IOException {
    FoundVersions counter = sought ? found : null;
    super.setCurrentCell(
        cell != null && counter != null && counter.areInSeveralFiles()
            ? new CountedCell((ExtendedCell) cell, counter)
            : cell);
  }

  /** Counts the cell that the scanner shows. Call this before the scanner passes it. */
  final void count() {
    Cell cell = passed != null && sought && realSeekDone() ? peek() : null;
    if (passed != null && cell != null) {
      passed.add(cell);
    }
  }

  /**
   * Defers a seek if a lower bound of the file's cells from the key on is known. A later seek to
   * this bound finds the same cell as a seek to the key.
   *
   * @param columns the columns of a Get's file; null if they may not be used
   * @return whether the seek was deferred, or nothing can be found; the scanner shows which
   */
  private boolean defers(Cell key, @Nullable FileColumns columns) throws IOException {
    if (sought || known == null) {
      return false;
    }
    if (comparator.compareRows(key, known.beforeFirst()) < 0) {
      bound = known.beforeFirst();
    } else if (columns != null) {
      bound = columns.firstFrom(key, reader.getMaxTimestamp());
    } else {
      return false;
    }
    skips = false;
    setCurrentCell(bound);
    return true;
  }

  private void begin() {
    sought = true;
    skips = false;
    bound = null;
  }

  private boolean seekNow(Cell key) throws IOException {
    begin();
    return super.seek(key);
  }

  /** Skips all versions of a column, and the rest of the row if the file has no other columns. */
  private void skip(FileColumns columns, Cell column) throws IOException {
    bound = null;
    skips = true;
    setCurrentCell(columns.endOf(column));
  }

  @Override
  public boolean seek(Cell key) throws IOException {
    if (defers(key, ofGet)) {
      return bound != null;
    }
    return seekNow(key);
  }

  @Override
  public boolean reseek(Cell key) throws IOException {
    count();
    if (!sought) {
      return seek(key);
    }
    if (ofGet != null && !ofGet.mayFollow(key)) {
      setCurrentCell(null);
      return false;
    }
    return super.reseek(key);
  }

  @Override
  public boolean requestSeek(Cell key, boolean forward, boolean useBloom) throws IOException {
    // A Bloom filter of rows with columns excludes more than the file's columns do.
    boolean asksBloom = useBloom && reader.getBloomFilterType() == BloomType.ROWCOL;
    if (defers(key, asksBloom ? null : ofGet)) {
      return bound != null;
    }
    boolean moved = sought && forward;
    count();
    begin();
    return super.requestSeek(key, moved, useBloom);
  }

  @Override
  public boolean realSeekDone() {
    return skips || (bound == null && super.realSeekDone());
  }

  @Override
  public void enforceSeek() throws IOException {
    Cell key = bound;
    if (key == null) {
      super.enforceSeek();
    } else if (ofGet != null && found != null && found.areAllOf(key)) {
      skip(ofGet, key);
    } else {
      seekNow(key);
    }
  }

  @Override
  public @Nullable Cell next() throws IOException {
    Cell shown = peek();
    if (shown == null) {
      return null;
    }
    if (skips) {
      seekNow(shown);
      return shown;
    }
    if (bound == null) {
      super.enforceSeek();
    } else {
      seekNow(bound);
    }
    count();
    return super.next();
  }

  /**
   * HBase steps through the cells of a block instead of seeking the next column, if it is told the
   * first key of the block after it. A step would make other scanners seek.
   */
  @Override
  public @Nullable Cell getNextIndexedKey() {
    return ofGet == null ? super.getNextIndexedKey() : null;
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
    if (found != null) {
      found.forget();
    }
  }
}
