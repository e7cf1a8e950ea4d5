// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Turns Ctrl-C, and other requests to end the process, into an orderly end: what runs is told to
 * stop, and the process waits until it has closed what it holds open.
 *
 * <p>Threads: made and closed by the thread that does the work; the request comes on another.
 */
final class InterruptGuard implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final CountDownLatch finished = new CountDownLatch(1);
  private final AtomicBoolean requested = new AtomicBoolean();
  private final Thread hook;

  /**
   * Guards until {@link #close}.
   *
   * @param stop called when the process is asked to end; must not block
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
        // The request came just now: the hook finds the work finished and lets the process end.
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
