// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import org.jspecify.annotations.Nullable;

/**
 * A version held in place: until {@link #unpin}, none of its tables is closed and none of its files
 * deleted. One such object serves every pin on the same stripe, so pinning allocates nothing.
 *
 * <p>Threads: any; a pin may be given back by another thread than took it.
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

  /** The version that is pinned. */
  public Version version() {
    return live.version();
  }

  /**
   * The table of a run of level 0, opened if it was not.
   *
   * @param run index into {@link Version#l0}, newest first
   */
  public T l0Table(int run) {
    return live.l0().get(run).table();
  }

  /** The partition whose range holds the key {@code key[offset, offset + length)}, or null. */
  public @Nullable LivePartition<T> partitionFor(byte[] key, int offset, int length) {
    int index = version().index().find(key, offset, length);
    return index < 0 ? null : live.partitions().get(index);
  }

  /**
   * A partition by its place.
   *
   * @param index index into {@link Version#partitions}
   */
  public LivePartition<T> partition(int index) {
    return live.partitions().get(index);
  }

  /**
   * Tells of a scan that came to several runs at once.
   *
   * @param inL0 seeks it made in level 0
   * @param inAll those, and seeks in runs of a partition beyond the first
   */
  public void countSeeks(int inL0, int inAll) {
    live.countSeeks(inL0, inAll);
  }

  /** About how many seeks scans have made in level 0 of this version. */
  public long l0Seeks() {
    return live.l0Seeks();
  }

  /**
   * Whether scans have made so many seeks since this was last true, that it should be decided anew
   * what to do for them.
   */
  public boolean wantsLook() {
    return live.wantsLook();
  }

  /** Gives the pin back; exactly once for each {@link VersionSet#pin}. */
  public void unpin() {
    live.unpin(stripe);
  }
}
