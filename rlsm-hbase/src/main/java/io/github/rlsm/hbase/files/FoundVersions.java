// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.jspecify.annotations.Nullable;

/**
 * The versions of a column in the result of a Get. Once they are as many as the Get wants, it
 * cannot add an older one. HBase still looks for it, to see that it is of the same column. The
 * scanners of other files need not seek it.
 *
 * <p>Only cells of files count, since a file does not learn what a Get takes from memory.
 *
 * <p>Threads: one at a time, as the Get. The scanners of its files share this object.
 */
final class FoundVersions {

  private static final SharedByScan<FoundVersions> OF_GET = new SharedByScan<>();

  private final Scan get;
  private final HStore store;
  private int files;
  private @Nullable Cell last;
  private int versions;

  private FoundVersions(Scan get, HStore store) {
    this.get = get;
    this.store = store;
  }

  /**
   * Returns the versions of the Get for which this thread prepares scanners. Call this for each
   * scanner that it uses. Null if files must be read as HBase reads them: for a Get with a filter,
   * of raw cells, or of a family whose deletes count by sequence id.
   */
  @SuppressWarnings("ReferenceEquality") // the scanners of a Get share its Scan object
  static @Nullable FoundVersions of(Scan get, HStore store) {
    if (get.hasFilter()
        || get.isRaw()
        || store.getColumnFamilyDescriptor().isNewVersionBehavior()) {
      return null;
    }
    FoundVersions found = OF_GET.get();
    if (found == null || found.get != get || found.store != store) {
      found = new FoundVersions(get, store);
      OF_GET.set(found);
    }
    found.files++;
    return found;
  }

  /** Whether the Get uses several files. Otherwise there is nothing to omit. */
  boolean areInSeveralFiles() {
    return files > 1;
  }

  /** Adds a cell of the result. */
  void add(Cell cell) {
    versions = areOf(cell) ? versions + 1 : 1;
    last = cell;
  }

  /** Whether the result has as many versions of a cell's column as the Get wants. */
  boolean areAllOf(Cell cell) {
    return versions >= get.getMaxVersions() && areOf(cell);
  }

  private boolean areOf(Cell cell) {
    Cell before = last;
    return before != null && CellUtil.matchingRowColumn(before, cell);
  }

  /** Forgets the last cell. Call this before its block is released. */
  void forget() {
    last = null;
  }
}
