// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;

/**
 * The open scanners of value files that one or more scanners of key files use.
 *
 * <p>A compaction shares one set among all of its key files, so it has one scanner for each value
 * file. A scan has a set for each key file, which is limited. Without a limit, a scan over many
 * flushes holds a block of each value file for each key file. The scanner that was unused longest
 * is closed when HBase has shipped the cells that it returned.
 *
 * <p>Threads: the scan's thread.
 */
final class ValueScanners {

  private final Opening opening;
  private final int openMax;
  private final Map<PartitionedStoreFile, StoreFileScanner> open =
      new LinkedHashMap<>(16, 0.75f, true);
  private final List<StoreFileScanner> unused = new ArrayList<>();
  private int users;

  /** Opens scanners of value files. */
  @FunctionalInterface
  interface Opening {
    /** Opens a scanner that sees all cells; the key file's scanner applies the read point. */
    StoreFileScanner open(PartitionedStoreFile file) throws IOException;
  }

  /**
   * Creates an empty set.
   *
   * @param openMax the number of scanners that stay open after cells were shipped
   */
  ValueScanners(Opening opening, int openMax) {
    this.opening = opening;
    this.openMax = openMax;
  }

  /** Counts a scanner of a key file that uses this set. */
  void begin() {
    users++;
  }

  /** Returns the scanner of a value file. */
  StoreFileScanner of(PartitionedStoreFile file) throws IOException {
    StoreFileScanner scanner = open.get(file);
    if (scanner == null) {
      scanner = opening.open(file);
      open.put(file, scanner);
      if (open.size() > openMax) {
        Iterator<StoreFileScanner> oldest = open.values().iterator();
        unused.add(oldest.next());
        oldest.remove();
      }
    }
    return scanner;
  }

  /** Releases the blocks of all cells that were returned. */
  void shipped() throws IOException {
    unused.forEach(StoreFileScanner::close);
    unused.clear();
    for (StoreFileScanner scanner : open.values()) {
      scanner.shipped();
    }
  }

  /** Closes all scanners after the last user has ended. */
  void end() {
    users--;
    if (users == 0) {
      unused.forEach(StoreFileScanner::close);
      unused.clear();
      open.values().forEach(StoreFileScanner::close);
      open.clear();
    }
  }
}
