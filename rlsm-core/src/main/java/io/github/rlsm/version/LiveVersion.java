// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A version that is current or pinned, with its tables at hand and its users counted.
 *
 * <p>Threads: any.
 *
 * @param <T> an open table
 */
final class LiveVersion<T> {

  private final Version version;
  private final List<TableHandle<T>> l0;
  private final List<LivePartition<T>> partitions;
  private final Consumer<LiveVersion<T>> whenDead;

  /** Seeks that are worth a decision's time. */
  private static final int SEEKS_PER_LOOK = 1 << 10;

  // Racy, both: a lost count is no harm, and a fence at each scan would be.
  private long l0Seeks;
  private long seeks;

  private final PinCount pins = new PinCount();
  private final List<PinnedVersion<T>> stripes;

  /**
   * @param l0 the tables of the version's level-0 runs, in their order
   * @param partitions the version's partitions, in their order
   * @param whenDead told once, by whichever thread makes it so, when the version is retired and
   *     nobody has it pinned
   */
  LiveVersion(
      Version version,
      List<TableHandle<T>> l0,
      List<LivePartition<T>> partitions,
      Consumer<LiveVersion<T>> whenDead) {
    this.version = version;
    this.l0 = l0;
    this.partitions = List.copyOf(partitions);
    this.whenDead = whenDead;
    List<PinnedVersion<T>> pinned = new ArrayList<>(PinCount.STRIPES);
    for (int stripe = 0; stripe < PinCount.STRIPES; stripe++) {
      pinned.add(new PinnedVersion<>(this, stripe));
    }
    stripes = List.copyOf(pinned);
  }

  Version version() {
    return version;
  }

  List<TableHandle<T>> l0() {
    return l0;
  }

  List<LivePartition<T>> partitions() {
    return partitions;
  }

  /** A pin on the stripe, or null if the version is retired. */
  @Nullable
  PinnedVersion<T> tryPin(int stripe) {
    return pins.tryPin(stripe) ? stripes.get(stripe) : null;
  }

  void unpin(int stripe) {
    if (pins.unpin(stripe)) {
      whenDead.accept(this);
    }
  }

  /** Lets nobody pin the version any more. */
  void retire() {
    if (pins.retire()) {
      whenDead.accept(this);
    }
  }

  /** Tells of seeks that scans made in more runs than one. */
  void countSeeks(int inL0, int inAll) {
    l0Seeks += inL0;
    seeks += inAll;
  }

  long l0Seeks() {
    return l0Seeks;
  }

  /** Whether so many seeks were counted since this was last true that somebody should look. */
  boolean wantsLook() {
    if (seeks < SEEKS_PER_LOOK) {
      return false;
    }
    seeks = 0;
    return true;
  }
}
