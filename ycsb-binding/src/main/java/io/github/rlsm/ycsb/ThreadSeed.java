// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Makes YCSB's choices of operations, keys and values repeatable. YCSB draws them all from {@link
 * ThreadLocalRandom}, which refuses a seed; so its state in the thread is set, which the JVM allows
 * only when started with {@code --add-opens java.base/java.lang=ALL-UNNAMED}.
 *
 * <p>Repeatable is each thread's own sequence, not how the threads interleave; with one thread, the
 * whole run.
 */
final class ThreadSeed {

  private static final String STATE = "threadLocalRandomSeed";

  private ThreadSeed() {}

  /**
   * Checks that {@link #apply} will work.
   *
   * @throws IllegalStateException if this JVM does not allow it; says what to do
   */
  static void checkSupported() {
    stateOfThread();
  }

  /**
   * Sets the state of the current thread's generator.
   *
   * @param seed the run's seed
   * @param stream tells apart threads and phases of one run
   */
  static void apply(long seed, long stream) {
    // Brings the thread's generator into being, or its first use would overwrite the state.
    ThreadLocalRandom.current();
    long mixed = new SplittableRandom(seed + 31 * stream).nextLong();
    try {
      stateOfThread().setLong(Thread.currentThread(), mixed);
    } catch (IllegalAccessException e) {
      throw unsupported(e);
    }
  }

  private static Field stateOfThread() {
    try {
      Field state = Thread.class.getDeclaredField(STATE);
      state.setAccessible(true);
      return state;
    } catch (NoSuchFieldException | InaccessibleObjectException e) {
      throw unsupported(e);
    }
  }

  private static IllegalStateException unsupported(Exception cause) {
    return new IllegalStateException(
        "--seed needs a JVM started with --add-opens java.base/java.lang=ALL-UNNAMED, as ./ycsb does",
        cause);
  }
}
