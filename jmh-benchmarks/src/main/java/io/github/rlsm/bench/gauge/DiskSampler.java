// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.gauge;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Samples the disk usage of a directory once a second.
 *
 * <p>Threads: safe for use by many threads.
 */
public final class DiskSampler implements AutoCloseable {

  private static final long PERIOD_MILLIS = 1_000;

  private final Path directory;
  private final AtomicLong peak = new AtomicLong();
  private final Sampling sampling;

  /** Starts sampling. */
  public DiskSampler(Path directory) {
    this.directory = directory;
    this.sampling = new Sampling("disk-sampler", this::sample, PERIOD_MILLIS, PERIOD_MILLIS);
  }

  /**
   * The peak usage since the last call, at least {@code nowBytes}.
   *
   * @param nowBytes the current usage
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
