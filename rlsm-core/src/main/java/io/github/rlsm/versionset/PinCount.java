// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the users of a shared object. Once the object is retired and its last user has gone,
 * reports this exactly once. Pinning takes no lock and allocates nothing.
 *
 * <p>The count is spread over {@value #STRIPES} stripes on separate cache lines. So threads that
 * pin and unpin frequently do not contend for one line. A user pins on the stripe of its thread and
 * unpins on the same stripe, from any thread. The highest bit of a stripe means "retired"; the
 * other bits are its number of users.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>A count increases only by a compare-and-set from a value without the retired bit. So a
 *       stripe that is retired and empty stays in this state: it is <i>drained</i>.
 *   <li>A stripe becomes drained in one atomic step: when it is retired while empty, or when its
 *       last user unpins after that. The thread that takes the step counts the stripe out. Only the
 *       thread that counts out the last stripe receives {@code true}.
 * </ol>
 *
 * <p>Rejected: one sum over all stripes, read after retiring. No single moment exists at which the
 * sum holds. It could miss a user that pinned on one stripe and unpinned on another.
 *
 * <p>Threads: any, but {@link #retire} is called once. Every access to a stripe is sequentially
 * consistent: the actions of a user before it unpins happen before the actions after the last
 * {@code true}.
 */
public final class PinCount {

  /** The number of stripes, a power of two. */
  public static final int STRIPES = 32;

  /** 128 bytes: a cache line, and the adjacent line that the hardware prefetches with it. */
  private static final int SPACING = 128 / Long.BYTES;

  private static final long RETIRED = Long.MIN_VALUE;

  private final AtomicLongArray counts = new AtomicLongArray((STRIPES + 1) * SPACING);
  private final AtomicInteger undrained = new AtomicInteger(STRIPES);

  /**
   * The stripe on which the calling thread pins. Threads started in succession get different
   * stripes.
   */
  public static int stripe() {
    return (int) Thread.currentThread().getId() & (STRIPES - 1);
  }

  /**
   * Adds a user, unless the object is retired.
   *
   * @return whether the user was added, and the object stays usable until {@link #unpin}
   */
  public boolean tryPin(int stripe) {
    int index = index(stripe);
    long count = counts.get(index);
    while (count >= 0) {
      long seen = counts.compareAndExchange(index, count, count + 1);
      if (seen == count) {
        return true;
      }
      count = seen;
    }
    return false;
  }

  /**
   * Removes a user that {@link #tryPin} added on this stripe.
   *
   * @return true if the object is retired and this was its last user
   */
  public boolean unpin(int stripe) {
    int index = index(stripe);
    long count = counts.get(index);
    while (true) {
      if ((count & ~RETIRED) == 0) {
        throw new IllegalStateException("unpinned more often than pinned");
      }
      long seen = counts.compareAndExchange(index, count, count - 1);
      if (seen == count) {
        return count == (RETIRED | 1) && countOut();
      }
      count = seen;
    }
  }

  /**
   * Removes a user, for an owner that polls {@link #users} and ignores the result of
   * {@link #unpin}. Makes the same calls as {@link #tryPin}, and no call after its atomic update.
   * So if a thread runs out of stack, the user is still counted.
   */
  public void release(int stripe) {
    int index = index(stripe);
    long count = counts.get(index);
    while (true) {
      if ((count & ~RETIRED) == 0) {
        throw new IllegalStateException("unpinned more often than pinned");
      }
      long seen = counts.compareAndExchange(index, count, count - 1);
      if (seen == count) {
        return;
      }
      count = seen;
    }
  }

  /** The number of users. Once the object is retired, the number never increases. */
  public long users() {
    long users = 0;
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      users += counts.get(index(stripe)) & ~RETIRED;
    }
    return users;
  }

  /**
   * Refuses further users.
   *
   * @return true if there are no users
   */
  public boolean retire() {
    boolean last = false;
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      long before = counts.getAndUpdate(index(stripe), count -> count | RETIRED);
      if (before == 0) {
        last |= countOut();
      }
    }
    return last;
  }

  private boolean countOut() {
    return undrained.decrementAndGet() == 0;
  }

  /** The ends of the array stay unused, to avoid false sharing with neighbouring objects. */
  private static int index(int stripe) {
    return (stripe + 1) * SPACING - 1;
  }
}
