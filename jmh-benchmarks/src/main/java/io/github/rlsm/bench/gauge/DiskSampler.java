// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.gauge;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Watches the room that a directory takes, once a second.
 *
 * <p>Threads: safe for use by many threads.
 */
public final class DiskSampler implements AutoCloseable {

  private static final long PERIOD_MILLIS = 1_000;

  private final Path directory;
  private final AtomicLong peak = new AtomicLong();
  private final Sampling sampling;

  /** Starts watching. */
  public DiskSampler(Path directory) {
    this.directory = directory;
    this.sampling = new Sampling("disk-sampler", this::sample, PERIOD_MILLIS, PERIOD_MILLIS);
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
    sampling.close();
  }
}
