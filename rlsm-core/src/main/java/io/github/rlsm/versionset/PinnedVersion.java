// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

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

  /**
   * Returns the table of a run of level 0, and opens it if necessary.
   *
   * @param run index into {@link Version#l0}, newest first
   */
  public T l0Table(int run) {
    return live.l0().get(run).table();
  }

  /** The partition whose range holds the key {@code key[offset, offset + length)}, or null. */
  public @Nullable LivePartition<T> partitionFor(byte[] key, int offset, int length) {
    int index = version().partitionOf(key, offset, length);
    return index < 0 ? null : live.partitions().get(index);
  }

  /**
   * Returns a partition by its index.
   *
   * @param index index into {@link Version#partitions}
   */
  public LivePartition<T> partition(int index) {
    return live.partitions().get(index);
  }

  /**
   * Counts extra seeks of a scan.
   *
   * @param inL0 seeks in level 0
   * @param inAll these, plus seeks in runs of a partition beyond the first, plus single reads of
   *     small values from the value log
   */
  public void countSeeks(int inL0, int inAll) {
    live.countSeeks(inL0, inAll);
  }

  /** The approximate number of seeks that scans have made in level 0 of this version. */
  public long l0Seeks() {
    return live.l0Seeks();
  }

  /**
   * Whether scans have made enough extra seeks, since this method last returned true, for a new
   * decision on compaction.
   */
  public boolean wantsLook() {
    return live.wantsLook();
  }

  /** Releases the pin. Called exactly once for each {@link VersionSet#pin}. */
  public void unpin() {
    live.unpin(stripe);
  }
}
