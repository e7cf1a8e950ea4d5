// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.gauge;

import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Watches the room that a directory takes, once a second.
 *
 * <p>Threads: safe for use by many threads.
 */
public final class DiskSampler implements AutoCloseable {

  private final Path directory;
  private final AtomicLong peak = new AtomicLong();
  private final ScheduledFuture<?> sampling;
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "disk-sampler");
        thread.setDaemon(true);
        return thread;
      });

  /** Starts watching. */
  public DiskSampler(Path directory) {
    this.directory = directory;
    this.sampling = executor.scheduleAtFixedRate(this::sample, 1, 1, TimeUnit.SECONDS);
  }

  /**
   * The most room taken since this was last asked, and no less than is taken now.
   *
   * @param nowBytes what is taken now
   */
  public long takePeak(long nowBytes) {
    return Math.max(nowBytes, peak.getAndSet(0));
  }

  private void sample() {
    peak.accumulateAndGet(DiskUsage.of(directory), Math::max);
  }

  @Override
  public void close() {
    sampling.cancel(false);
    executor.shutdown();
  }
}
