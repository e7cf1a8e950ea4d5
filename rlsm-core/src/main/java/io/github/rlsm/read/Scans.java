// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.valuelog.ValueLog;
import io.github.rlsm.versionset.PinnedVersion;
import java.util.function.LongSupplier;

/**
 * Opens the scans of a store. Predicts from them whether the next scan should prefetch values.
 *
 * <p>Threads: any.
 */
public final class Scans {

  private final OperationGuard guard;
  private final Snapshots snapshots;
  private final ValueLog values;
  private final LongSupplier nanoClock;
  private final Runnable whenJobNeeded;
  private final ColdReads coldValues = new ColdReads();
  private final ColdReads coldPages = new ColdReads();

  /**
   * Creates a source of scans.
   *
   * @param guard keeps the store open while a scan reads
   * @param whenJobNeeded runs when scans have paid for work on the files
   */
  public Scans(
      OperationGuard guard,
      Snapshots snapshots,
      ValueLog values,
      LongSupplier nanoClock,
      Runnable whenJobNeeded) {
    this.guard = guard;
    this.snapshots = snapshots;
    this.values = values;
    this.nanoClock = nanoClock;
    this.whenJobNeeded = whenJobNeeded;
  }

  /** Opens a scan of the state that a handle sees. Closing the scan releases the handle. */
  public Scan open(SnapshotHandle handle, Request request) {
    return new Scan(this, handle, request);
  }

  OperationGuard guard() {
    return guard;
  }

  ValueLog values() {
    return values;
  }

  ColdReads coldValues() {
    return coldValues;
  }

  /** What is known about the pages of tables where scans begin. */
  ColdReads coldPages() {
    return coldPages;
  }

  long nanos() {
    return nanoClock.getAsLong();
  }

  /**
   * Counts extra seeks; see {@link PinnedVersion#countSeeks}. After many of them, background
   * threads decide whether scans have paid for a compaction or a move.
   */
  void countSeeks(PinnedVersion<?> files, long inL0, long inAll) {
    files.countSeeks(inL0, inAll);
    if (files.wantsScanPlanning()) {
      whenJobNeeded.run();
    }
  }

  /** Returns the number of open scans and of snapshots that clients hold. */
  int openCount() {
    return snapshots.count();
  }

  /** Releases a scan's handle. Returns true for the first call only. */
  boolean close(SnapshotHandle handle) {
    return snapshots.release(handle);
  }

  /**
   * The parameters of a scan.
   *
   * @param range the range of internal keys
   * @param descending whether the greatest key comes first
   * @param limit the maximum number of entries
   * @param keysOnly whether values are left out
   */
  public record Request(KeyRange range, boolean descending, long limit, boolean keysOnly) {}
}
