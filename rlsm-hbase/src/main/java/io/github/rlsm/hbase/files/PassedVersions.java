// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * Counts the dead versions that a user's scan passes in all files together. A merge drops them. A
 * version is dead if the scan has passed as many newer ones of its column as the family keeps.
 *
 * <p>The versions in the row that the scan passes first do not count. So a Get pays nothing.
 *
 * <p>Threads: one at a time, as the scan. The scanners of a scan's files share this object.
 */
final class PassedVersions {

  private static final SharedByScan<PassedVersions> OF_SCAN = new SharedByScan<>();

  private final Account account;
  private @Nullable Cell last;
  private boolean beyondFirstRow;
  private int versions;
  private long bytes;

  /** Receives the bytes of dead versions that scans have passed. */
  @FunctionalInterface
  interface Receiver {
    /**
     * Adds bytes.
     *
     * @param row a cell of the row that the scan has reached
     */
    void passed(Cell row, long bytes);
  }

  /**
   * Chooses the scans of a store that count. Comparing cells takes time, so only one of
   * {@value #SCANS} scans counts, and counts for all of them. Gets are scans here: a file does not
   * know them when it creates the scanner.
   *
   * <p>Threads: any.
   */
  static final class Account {

    /**
     * The number of scans of which one counts. A prime number, because a long scan creates its
     * scanners twice, first for shared readers and then for separate ones.
     */
    static final int SCANS = 7;

    private final Receiver receiver;
    private final int versionsMax;
    private final AtomicInteger scans = new AtomicInteger();

    /**
     * Creates an account.
     *
     * @param family tells how many versions of a column merges keep
     */
    Account(Receiver receiver, ColumnFamilyDescriptor family) {
      this.receiver = receiver;
      this.versionsMax = family.getKeepDeletedCells() == KeepDeletedCells.FALSE
          ? family.getMaxVersions()
          : Integer.MAX_VALUE;
    }

    /**
     * Returns the counter of the scan whose scanners this thread creates; null if the scan does not
     * count.
     *
     * @param order the order of the scanner, which is 0 for the first one of a scan
     */
    @Nullable
    PassedVersions ofScan(long order) {
      OF_SCAN.begin(order);
      if (order == 0) {
        if (scans.getAndIncrement() % SCANS != 0) {
          return null;
        }
        PassedVersions created = new PassedVersions(this);
        OF_SCAN.set(created);
        return created;
      }
      PassedVersions ofScan = OF_SCAN.get();
      return ofScan != null && ofScan.account == this ? ofScan : null;
    }
  }

  private PassedVersions(Account account) {
    this.account = account;
  }

  /** Counts a cell that the scan passes now. */
  void add(Cell cell) {
    Cell before = last;
    last = cell;
    if (before != null && CellUtil.matchingRowColumn(before, cell)) {
      versions++;
      if (beyondFirstRow && versions > account.versionsMax) {
        bytes += cell.getSerializedSize();
      }
      return;
    }
    versions = 1;
    if (before != null && !beyondFirstRow) {
      beyondFirstRow = !CellUtil.matchingRows(before, cell);
    }
  }

  /**
   * Pays for the counted bytes, and forgets the last cell. Call this before the blocks of cells
   * that were passed are released.
   */
  void pay() {
    Cell at = last;
    if (at != null && bytes > 0) {
      account.receiver.passed(at, bytes * Account.SCANS);
      bytes = 0;
    }
    last = null;
  }
}
