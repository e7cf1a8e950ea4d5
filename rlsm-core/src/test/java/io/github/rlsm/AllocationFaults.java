// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the allocations of classes that {@link AllocationFaultLoader} has loaded, and fails some
 * of them with an {@link OutOfMemoryError}.
 *
 * <p>Loaded once, by the loader of the tests: loaded classes and the test share the count.
 *
 * <p>Threads: any allocate; one arms.
 */
@SuppressWarnings("StaticAssignmentOfThrowable") // kept until the run has looked at it
public final class AllocationFaults {

  private static volatile boolean armed;
  private static final AtomicLong COUNT = new AtomicLong();
  private static volatile long first = Long.MAX_VALUE;
  private static volatile long last;
  private static volatile Throwable hit;

  private AllocationFaults() {}

  /** Counts from 0, and fails {@code failures} allocations from number {@code from} on. */
  public static void arm(long from, long failures) {
    COUNT.set(0);
    hit = null;
    first = from;
    last = from + failures;
    armed = true;
  }

  /** Fails and counts no more. */
  public static void disarm() {
    armed = false;
  }

  /** How many allocations there were. */
  public static long count() {
    return COUNT.get();
  }

  /** The first allocation that failed; null if none has. */
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
