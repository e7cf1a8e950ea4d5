// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.gauge;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Takes samples at a fixed rate in a separate thread, until closed.
 *
 * <p>Threads: any.
 */
final class Sampling implements AutoCloseable {

  private final ScheduledExecutorService executor;
  private final ScheduledFuture<?> samples;

  /** Starts sampling. */
  Sampling(String threadName, Runnable sample, long firstMillis, long periodMillis) {
    this.executor = Executors.newSingleThreadScheduledExecutor(task -> {
      Thread thread = new Thread(task, threadName);
      thread.setDaemon(true);
      return thread;
    });
    this.samples =
        executor.scheduleAtFixedRate(sample, firstMillis, periodMillis, TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    samples.cancel(false);
    executor.shutdown();
  }
}
