// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import java.util.List;

/**
 * A partition of a pinned version, with its tables at hand. Usable while the version is pinned.
 *
 * <p>Threads: any.
 *
 * @param <T> an open table
 */
public final class LivePartition<T> {

  private final Partition partition;
  private final List<TableHandle<T>> handles;

  /** Racy: a lost count is no harm, and a fence at each scan would be. */
  private long extraSeeks;

  LivePartition(Partition partition, List<TableHandle<T>> handles) {
    this.partition = partition;
    this.handles = handles;
  }

  /** The partition. */
  public Partition partition() {
    return partition;
  }

  /**
   * The table of a run, opened if it was not.
   *
   * @param run index into {@link Partition#runs}
   */
  public T table(int run) {
    return handles.get(run).table();
  }

  /** Tells of a scan that began where this many runs beyond the first lie. */
  public void countExtraSeeks(int runs) {
    extraSeeks += runs;
  }

  /** About how many runs beyond the first scans have met, since the partition has had these. */
  public long extraSeeks() {
    return extraSeeks;
  }
}
