// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

import io.github.rlsm.version.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A version that is current or pinned, with handles of its tables and a count of its users.
 *
 * <p>Reads use these arrays and not the version's lists. A list of one or two elements has another
 * class than a longer one, and HotSpot drops the code of reads when it meets the other class.
 *
 * <p>Threads: any.
 *
 * @param <T> an open table
 */
final class LiveVersion<T> {

  private final Version version;
  private final TableHandles.Handle<T>[] l0;
  private final LivePartition<T>[] partitions;
  private final Consumer<LiveVersion<T>> whenDead;

  /** The time of seeks after which {@link #wantsScanPlanning} requests a look at them. */
  private static final long NANOS_PER_LOOK = (1 << 10) * PinnedVersion.SEEK_NANOS;

  private final ScanTime l0Time = new ScanTime();
  private final ScanTime time = new ScanTime();

  private final PinCount pins = new PinCount();
  private final List<PinnedVersion<T>> stripes;

  /**
   * Creates the live form of a version.
   *
   * @param l0 the tables of the version's level-0 runs, in their order; not copied
   * @param partitions the version's partitions, in their order; not copied
   * @param whenDead called once, when the version is retired and not pinned, by the thread that
   *     causes this state
   */
  LiveVersion(
      Version version,
      TableHandles.Handle<T>[] l0,
      LivePartition<T>[] partitions,
      Consumer<LiveVersion<T>> whenDead) {
    this.version = version;
    this.l0 = l0;
    this.partitions = partitions;
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

  int l0Count() {
    return l0.length;
  }

  TableHandles.Handle<T> l0(int run) {
    return l0[run];
  }

  int partitionCount() {
    return partitions.length;
  }

  LivePartition<T> partition(int index) {
    return partitions[index];
  }

  /** Returns a pin on the stripe, or null if the version is retired. */
  @Nullable
  PinnedVersion<T> tryPin(int stripe) {
    return pins.tryPin(stripe) ? stripes.get(stripe) : null;
  }

  void unpin(int stripe) {
    if (pins.unpin(stripe)) {
      whenDead.accept(this);
    }
  }

  /** Refuses further pins. */
  void retire() {
    if (pins.retire()) {
      whenDead.accept(this);
    }
  }

  /** Counts extra seeks of a scan; see {@link PinnedVersion#countSeeks}. */
  void countSeeks(long inL0, long inAll) {
    if (inL0 > 0) {
      l0Time.add(inL0);
    }
    time.add(inAll);
  }

  long l0Nanos() {
    return l0Time.nanos();
  }

  /** Whether enough time was counted, since this method last returned true, for a new decision. */
  boolean wantsScanPlanning() {
    if (time.nanos() < NANOS_PER_LOOK) {
      return false;
    }
    time.reset();
    return true;
  }

  /**
   * A sum of scan times, to which all threads add. It has a separate cache line. Otherwise each
   * scan would take the line of the references beside it from the other threads.
   *
   * <p>Threads: any. The sum is racy: a lost addend does no harm, but a fence at each scan would.
   */
  static final class ScanTime {

    /** 128 bytes: a cache line, and the adjacent line that the hardware prefetches with it. */
    private static final int SPACING = 128 / Long.BYTES;

    private final long[] cells = new long[2 * SPACING];

    void add(long nanos) {
      cells[SPACING] += nanos;
    }

    long nanos() {
      return cells[SPACING];
    }

    void reset() {
      cells[SPACING] = 0;
    }
  }
}
