// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import io.github.rlsm.hbase.values.ValueReferenceTag.Pointer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;
import org.jspecify.annotations.Nullable;

/**
 * The open scanners of value files that one or more scanners of key files use.
 *
 * <p>A compaction shares one set among all of its key files, so it has one scanner for each value
 * file. A user's scan of a store shares one set as well. The set has a limit, because a scan over
 * many flushes would hold a block of each value file. The scanner that was unused longest is closed
 * when HBase has shipped the cells that it returned.
 *
 * <p>Threads: the scan's thread.
 */
final class ValueScanners {

  private final Opening opening;
  private final int openMax;
  private final LongSupplier nanos;
  private final @Nullable ValueAccount account;
  private final Map<PartitionedStoreFile, Values> open = new LinkedHashMap<>(16, 0.75f, true);
  private final List<StoreFileScanner> unused = new ArrayList<>();
  private int users;
  private @Nullable PartitionedStoreFile last;

  /** The readers of the last file. */
  private Values current = new Values();

  private boolean ofScan = true;
  private boolean ofFewRows;
  private boolean isUnordered;
  private long began;
  private long lost;

  /**
   * What a scan uses of a value file: a reader of single values, a walk, or a scanner of blocks.
   */
  private static final class Values {
    private @Nullable ReadAhead ahead;
    private @Nullable ValueWalk walk;
    private @Nullable StoreFileScanner scanner;
  }

  /** Opens value files. */
  interface Opening {
    /**
     * Opens a scanner that sees all cells; the key file's scanner applies the read point.
     *
     * @param ofScan whether it reads the values of many rows
     */
    StoreFileScanner open(PartitionedStoreFile file, boolean ofScan) throws IOException;

    /**
     * Begins a walk through a file.
     *
     * @param ofFewRows whether the scan probably needs few values
     * @return null if only HBase's scanner can read the file
     */
    @Nullable
    ValueWalk walk(PartitionedStoreFile file, boolean ofFewRows) throws IOException;
  }

  /**
   * Creates an empty set.
   *
   * @param openMax the number of scanners that stay open after cells were shipped
   * @param nanos the clock
   * @param account the account of the store, for which a scan pays; null for a compaction
   */
  ValueScanners(Opening opening, int openMax, LongSupplier nanos, @Nullable ValueAccount account) {
    this.opening = opening;
    this.openMax = openMax;
    this.nanos = nanos;
    this.account = account;
  }

  /** Whether a scan of the store with an account uses this set. */
  boolean isOf(@Nullable ValueAccount store) {
    return store != null && account == store;
  }

  /** Counts a scanner of a key file that uses this set. */
  void begin() {
    users++;
  }

  /** Declares that a Get uses the scanners, so the values of a single row are read. */
  void useForGet() {
    ofScan = false;
  }

  /** Declares that a scan of few rows uses the scanners, so that requests begin small. */
  void useForFewRows() {
    ofFewRows = true;
  }

  /**
   * Notes that the value of a cell of a file is about to be read; {@link #found} follows. Calls in
   * between are for this file.
   */
  void moveTo(PartitionedStoreFile file, Cell wanted) {
    PartitionedStoreFile before = last;
    if (before != file) {
      last = file;
      current = valuesOf(file);
    }
    isUnordered =
        before != null && before != file && !isScanned(current) && before.hasRowsFrom(wanted);
    if (isUnordered) {
      began = nanos.getAsLong();
    }
  }

  /**
   * Returns the reader of values at their offsets; null if the file is read by block. A scan of
   * neighbouring rows needs few values of an unordered file, each in another block. A Get reads a
   * block, which may be read again and is cached.
   */
  @Nullable
  ReadAhead direct(PartitionedStoreFile file, Pointer pointer) {
    if (!ofScan || account == null || !pointer.hasOffset() || file.isOrdered()) {
      return null;
    }
    if (isScanned(current)) {
      return null;
    }
    if (current.ahead == null) {
      current.ahead = ofFewRows ? file.readAhead() : file.readAheadOfScan();
    }
    return current.ahead;
  }

  /** Returns the walk through a value file; null if HBase's scanner must read it. */
  @Nullable
  ValueWalk walk(PartitionedStoreFile file, Pointer pointer) throws IOException {
    if (!ofScan || account == null || !pointer.hasOffset()) {
      return null;
    }
    if (!isScanned(current)) {
      current.walk = opening.walk(file, ofFewRows);
    }
    return current.walk;
  }

  /** Returns the scanner of a value file. */
  StoreFileScanner of(PartitionedStoreFile file) throws IOException {
    if (current.scanner == null) {
      current.scanner = opening.open(file, ofScan);
      current.ahead = null;
    }
    return current.scanner;
  }

  private static boolean isScanned(Values values) {
    return values.scanner != null || values.walk != null;
  }

  private Values valuesOf(PartitionedStoreFile file) {
    Values values = open.get(file);
    if (values == null) {
      values = new Values();
      open.put(file, values);
      if (open.size() > openMax) {
        Iterator<Values> oldest = open.values().iterator();
        StoreFileScanner scanner = oldest.next().scanner;
        if (scanner != null) {
          unused.add(scanner);
        }
        oldest.remove();
      }
    }
    return values;
  }

  /** Notes that the value was read. */
  void found() {
    if (isUnordered && last != null) {
      long bytes = ValueAccount.bytes(nanos.getAsLong() - began);
      last.pay(bytes);
      lost += bytes;
      isUnordered = false;
    }
  }

  /** Releases the blocks of all cells that were returned. */
  void shipped() throws IOException {
    pay();
    unused.forEach(StoreFileScanner::close);
    unused.clear();
    for (Values values : open.values()) {
      if (values.scanner != null) {
        values.scanner.shipped();
      }
    }
  }

  /** Closes all scanners after the last user has ended. */
  void end() {
    users--;
    if (users == 0) {
      pay();
      unused.forEach(StoreFileScanner::close);
      unused.clear();
      for (Values values : open.values()) {
        if (values.scanner != null) {
          values.scanner.close();
        }
      }
      open.clear();
      last = null;
    }
  }

  private void pay() {
    if (lost > 0 && account != null) {
      account.pay(lost);
    }
    lost = 0;
  }
}
