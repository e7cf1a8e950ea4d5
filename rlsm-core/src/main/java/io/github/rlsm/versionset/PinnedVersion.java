// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

import io.github.rlsm.base.KeyBounds;
import io.github.rlsm.version.Version;
import org.jspecify.annotations.Nullable;

/**
 * A pinned version: until {@link #unpin}, no table of the version is closed and no file is deleted.
 * All pins on one stripe share one such object, so pinning allocates nothing.
 *
 * <p>Threads: any; a thread may release a pin that another thread took.
 *
 * @param <T> an open table
 */
public final class PinnedVersion<T> {

  /**
   * The longest time that counts for one seek. A rewrite takes about as long for each page that it
   * reads and writes.
   */
  public static final long SEEK_NANOS = 20_000;

  /** The shortest time that counts for one seek. */
  public static final long SEEK_NANOS_MIN = SEEK_NANOS / 50;

  private final LiveVersion<T> live;
  private final int stripe;

  PinnedVersion(LiveVersion<T> live, int stripe) {
    this.live = live;
    this.stripe = stripe;
  }

  /** Returns the pinned version. */
  public Version version() {
    return live.version();
  }

  /** Returns the number of runs of level 0. */
  public int l0Count() {
    return live.l0Count();
  }

  /**
   * Returns the table of a run of level 0, and opens it if necessary.
   *
   * @param run index into {@link Version#l0}, newest first
   */
  public T l0Table(int run) {
    return live.l0(run).table();
  }

  /**
   * Returns the keys of a run of level 0, without opening its table.
   *
   * @param run index into {@link Version#l0}, newest first
   */
  public KeyBounds l0Keys(int run) {
    return live.l0(run).meta().keys();
  }

  /** The partition whose range holds the key {@code key[offset, offset + length)}, or null. */
  public @Nullable LivePartition<T> partitionFor(byte[] key, int offset, int length) {
    int index = version().partitionOf(key, offset, length);
    return index < 0 ? null : live.partition(index);
  }

  /** Returns the number of partitions. */
  public int partitionCount() {
    return live.partitionCount();
  }

  /**
   * Returns a partition by its index.
   *
   * @param index index into {@link Version#partitions}
   */
  public LivePartition<T> partition(int index) {
    return live.partition(index);
  }

  /**
   * Counts extra seeks of a scan by their time.
   *
   * @param inL0 time of seeks in level 0
   * @param inAll this time, plus the time of seeks in runs of a partition beyond the first, plus
   *     {@link #SEEK_NANOS} for each single read of a small value from the value log
   */
  public void countSeeks(long inL0, long inAll) {
    live.countSeeks(inL0, inAll);
  }

  /**
   * The approximate time of the seeks that scans have made in level 0 of this version, as a number
   * of seeks of {@link #SEEK_NANOS}.
   */
  public long l0Seeks() {
    return live.l0Nanos() / SEEK_NANOS;
  }

  /**
   * Whether scans have made enough extra seeks, since this method last returned true, for a new
   * decision on compaction.
   */
  public boolean wantsScanPlanning() {
    return live.wantsScanPlanning();
  }

  /** Releases the pin. Called exactly once for each {@link VersionSet#pin}. */
  public void unpin() {
    live.unpin(stripe);
  }
}
