// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Turns Ctrl-C and other termination requests into an orderly end. It asks the running work to
 * stop, and the process waits until the work has closed its resources.
 *
 * <p>Threads: created and closed by the working thread; the request comes on another thread.
 */
final class InterruptGuard implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final CountDownLatch finished = new CountDownLatch(1);
  private final AtomicBoolean requested = new AtomicBoolean();
  private final Thread hook;

  /**
   * Registers the guard. It is active until {@link #close}.
   *
   * @param stop called at a termination request; must not block
   */
  InterruptGuard(Runnable stop) {
    hook = new Thread(
        () -> {
          requested.set(true);
          stop.run();
          awaitFinished();
        },
        "ycsb-interrupt");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  @Override
  public void close() {
    finished.countDown();
    if (!requested.get()) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException shuttingDown) {
        // The request came just now. The hook sees that the work has ended, and the process exits.
        requested.set(true);
      }
    }
  }

  private void awaitFinished() {
    try {
      boolean inTime = finished.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (!inTime) {
        System.err.println("the run did not stop within " + PATIENCE.toSeconds() + " s");
      }
    } catch (InterruptedException e) {
      System.err.println("interrupted while the run was stopping");
    }
  }
}
