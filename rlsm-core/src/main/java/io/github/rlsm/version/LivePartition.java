// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

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

  // Racy, both: a lost count is no harm, and a fence at each scan would be.
  private long extraSeeks;
  private long strayValues;

  LivePartition(Partition partition, List<TableHandle<T>> handles) {
    this.partition = partition;
    this.handles = handles;
  }

  /**
   * A partition that takes the place of another, or of a part of it. If all it has was in the other
   * one, stray values met there count here, in proportion.
   */
  static <T> LivePartition<T> after(
      LivePartition<T> before, Partition partition, List<TableHandle<T>> handles) {
    LivePartition<T> after = new LivePartition<>(partition, handles);
    if (before.strayValues > 0 && tables(before.partition).containsAll(tables(partition))) {
      double part = (double) entries(partition) / entries(before.partition);
      after.strayValues = Math.round(before.strayValues * Math.min(1, part));
    }
    return after;
  }

  private static Set<Long> tables(Partition partition) {
    return partition.runs().stream().map(Run::table).collect(Collectors.toSet());
  }

  private static long entries(Partition partition) {
    return partition.runs().stream().mapToLong(Run::entries).sum();
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

  /** Tells of values, small ones, that had to be fetched one by one from the value log. */
  public void countStrayValues(int values) {
    strayValues += values;
  }

  /** About how many such values were met, since the partition has had its tables. */
  public long strayValues() {
    return strayValues;
  }

  /** About how many runs beyond the first scans have met, since the partition has had these. */
  public long extraSeeks() {
    return extraSeeks;
  }
}
