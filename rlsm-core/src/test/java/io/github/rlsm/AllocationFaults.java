// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the allocations of classes that {@link AllocationFaultLoader} has loaded. Fails some of
 * them with an {@link OutOfMemoryError}.
 *
 * <p>The loader of the tests loads this class once, so reloaded classes and the test share the
 * count.
 *
 * <p>Threads: any thread allocates; one thread arms.
 */
@SuppressWarnings("StaticAssignmentOfThrowable") // kept until the run reads it
public final class AllocationFaults {

  private static volatile boolean armed;
  private static final AtomicLong COUNT = new AtomicLong();
  private static volatile long first = Long.MAX_VALUE;
  private static volatile long last;
  private static volatile Throwable hit;

  private AllocationFaults() {}

  /** Starts a count from 0, and fails {@code failures} allocations from number {@code from} on. */
  public static void arm(long from, long failures) {
    COUNT.set(0);
    hit = null;
    first = from;
    last = from + failures;
    armed = true;
  }

  /** Stops counting and failing. */
  public static void disarm() {
    armed = false;
  }

  /** The number of allocations so far. */
  public static long count() {
    return COUNT.get();
  }

  /** The first allocation that failed; null before the first failure. */
  public static Throwable hit() {
    return hit;
  }

  /** Called before each allocation. */
  public static void allocating() {
    if (!armed) {
      return;
    }
    long number = COUNT.getAndIncrement();
    if (number >= first && number < last) {
      OutOfMemoryError failure = new OutOfMemoryError("injected into allocation " + number);
      hit = hit == null ? failure : hit;
      throw failure;
    }
  }
}
