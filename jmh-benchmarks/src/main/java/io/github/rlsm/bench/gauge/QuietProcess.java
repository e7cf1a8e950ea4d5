// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.gauge;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits until this process uses almost no processor time. Then background work of a store has
 * ended, and the just-in-time compiler has nothing left to do.
 */
public final class QuietProcess {

  private static final long WINDOW_NANOS = 50_000_000;

  /** The processor time in a window, relative to one processor, below which it is quiet. */
  private static final double BUSY_SHARE_MAX = 0.2;

  private static final double NANOS_PER_SECOND = 1e9;

  private QuietProcess() {}

  /** Waits until the process is quiet, or for a limited time. */
  public static void await(Duration limit) {
    long began = System.nanoTime();
    double share = 1;
    while (share > BUSY_SHARE_MAX && System.nanoTime() - began < limit.toNanos()) {
      CpuTime before = CpuTime.now();
      long since = System.nanoTime();
      LockSupport.parkNanos(WINDOW_NANOS);
      double seconds = (System.nanoTime() - since) / NANOS_PER_SECOND;
      share = CpuTime.now().since(before).own() / seconds;
    }
  }
}
