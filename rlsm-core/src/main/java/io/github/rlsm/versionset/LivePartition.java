// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

import io.github.rlsm.version.Partition;
import io.github.rlsm.version.Run;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A partition of a pinned version with handles of its tables. Usable while the version is pinned.
 *
 * <p>Threads: any.
 *
 * @param <T> an open table
 */
public final class LivePartition<T> {

  private final Partition partition;
  private final Run[] runs;
  private final TableHandles.Handle<T>[] handles;

  private final LiveVersion.ScanTime extraSeekTime = new LiveVersion.ScanTime();

  /** Racy: a lost count does no harm, but a fence at each scan would. */
  private long strayValues;

  /**
   * Creates a partition.
   *
   * @param handles the tables of its runs, in their order; not copied
   */
  LivePartition(Partition partition, TableHandles.Handle<T>[] handles) {
    this.partition = partition;
    this.runs = partition.runs().toArray(Run[]::new);
    this.handles = handles;
  }

  /**
   * Creates a partition that replaces another one or a part of it. If all its tables were in the
   * old partition, it inherits the old count of stray values, in proportion to its entries.
   */
  static <T> LivePartition<T> after(
      LivePartition<T> before, Partition partition, TableHandles.Handle<T>[] handles) {
    LivePartition<T> after = new LivePartition<>(partition, handles);
    if (before.strayValues > 0 && tables(before.partition).containsAll(tables(partition))) {
      double part = (double) partition.entries() / before.partition.entries();
      after.strayValues = Math.round(before.strayValues * Math.min(1, part));
    }
    return after;
  }

  private static Set<Long> tables(Partition partition) {
    return partition.runs().stream().map(Run::table).collect(Collectors.toSet());
  }

  /** The partition. */
  public Partition partition() {
    return partition;
  }

  /** Returns the number of runs. */
  public int runCount() {
    return runs.length;
  }

  /**
   * Returns a run.
   *
   * @param run index into {@link Partition#runs}
   */
  public Run run(int run) {
    return runs[run];
  }

  /**
   * Returns the table of a run, and opens it if necessary.
   *
   * @param run index into {@link Partition#runs}
   */
  public T table(int run) {
    return handles[run].table();
  }

  /** Returns the number of runs whose range contains the key {@code key[offset, offset+length)}. */
  public int runsAt(byte[] key, int offset, int length) {
    int here = 0;
    for (Run run : runs) {
      here += run.range().contains(key, offset, length) ? 1 : 0;
    }
    return here;
  }

  /**
   * Counts extra runs at the start of a scan: runs that contain its first key, less one.
   *
   * @param nanos the time that the scan spent on them
   */
  public void countExtraSeeks(long nanos) {
    extraSeekTime.add(nanos);
  }

  /** Counts small values that a scan had to read one by one from the value log. */
  public void countStrayValues(int values) {
    strayValues += values;
  }

  /**
   * The approximate number of stray values that scans have read since the partition has its tables.
   */
  public long strayValues() {
    return strayValues;
  }

  /**
   * The approximate time of seeks in extra runs that scans have met since the partition has its
   * tables, as a number of seeks of {@link PinnedVersion#SEEK_NANOS}.
   */
  public long extraSeeks() {
    return extraSeekTime.nanos() / PinnedVersion.SEEK_NANOS;
  }
}
