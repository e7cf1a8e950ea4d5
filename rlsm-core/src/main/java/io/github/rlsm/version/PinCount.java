// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the users of something shared that will one day be retired, and tells exactly once that it
 * is retired and the last user has gone. Pinning takes no lock and allocates nothing.
 *
 * <p>The count is spread over {@value #STRIPES} stripes, each on cache lines of its own, so that
 * threads that pin and unpin all the time do not pass one line between their cores. A user pins on
 * the stripe of its thread and unpins on that same stripe, from whatever thread. The highest bit of
 * a stripe says "retired"; the rest is how many users it has.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>A count goes up only by a compare-and-set from a value without the retired bit. So a stripe
 *       that is retired and empty stays so: it is <i>drained</i>.
 *   <li>A stripe becomes drained in one atomic step: when it is retired while empty, or when its
 *       last user unpins after that. Whoever takes the step counts the stripe out; whoever counts
 *       out the last stripe is told so, and nobody else is.
 * </ol>
 *
 * <p>Why not one sum over all stripes, read after retiring: no single moment would exist at which
 * the sum holds, and a user who pinned here and unpinned there could be missed.
 *
 * <p>Threads: any, but {@link #retire} is called once. Every access to a stripe is sequentially
 * consistent: what a user did before it unpinned happens before what follows the last {@code true}.
 */
public final class PinCount {

  /** How many stripes there are; a power of two. */
  public static final int STRIPES = 32;

  /** 128 bytes: a cache line, and the neighbour that the hardware fetches with it. */
  private static final int SPACING = 128 / Long.BYTES;

  private static final long RETIRED = Long.MIN_VALUE;

  private final AtomicLongArray counts = new AtomicLongArray((STRIPES + 1) * SPACING);
  private final AtomicInteger undrained = new AtomicInteger(STRIPES);

  /**
   * The stripe on which the calling thread pins. Threads started one after the other get different
   * ones.
   */
  public static int stripe() {
    return (int) Thread.currentThread().getId() & (STRIPES - 1);
  }

  /**
   * Adds a user, unless the thing is retired.
   *
   * @return whether it was added, and the thing stays usable until {@link #unpin}
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
   * Takes away a user that {@link #tryPin} added on this stripe.
   *
   * @return true for the last one of a retired thing: nobody uses it or ever will
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
   * Takes away a user, for an owner that asks {@link #users} and ignores what {@link #unpin}
   * returns. Makes the same calls as {@link #tryPin} and none after its store: if a thread has too
   * little stack, the user is still counted.
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

  /** The number of users. Once the thing is retired, there are never more than that again. */
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

  /** The array's ends stay unused: what its neighbours in memory do must not disturb. */
  private static int index(int stripe) {
    return (stripe + 1) * SPACING - 1;
  }
}
