// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.gauge;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Samples this process's memory five times a second.
 *
 * <p>Threads: safe for use by many threads.
 */
public final class MemorySampler implements AutoCloseable {

  private static final long PERIOD_MILLIS = 200;
  private static final ProcFile STATUS = new ProcFile("/proc/self/status");

  private final Optional<MemoryCgroup> group = MemoryCgroup.ofThisProcess();
  private final AtomicReference<MemoryPeak> peak = new AtomicReference<>(MemoryPeak.NONE);
  private final Sampling sampling;

  /** Starts sampling. */
  public MemorySampler() {
    sampling = new Sampling("memory-sampler", this::sample, 0, PERIOD_MILLIS);
  }

  /** The peak since the last call. */
  public MemoryPeak takePeak() {
    sample();
    return peak.getAndSet(MemoryPeak.NONE);
  }

  private void sample() {
    Runtime runtime = Runtime.getRuntime();
    long heap = runtime.totalMemory() - runtime.freeMemory();
    String status = STATUS.exists() ? STATUS.read() : "";
    MemoryPeak now = new MemoryPeak(
        heap,
        ProcFile.kibibytes(status, "RssAnon"),
        ProcFile.kibibytes(status, "VmRSS"),
        group.map(MemoryCgroup::chargedBytes).orElse(-1L));
    peak.accumulateAndGet(now, MemoryPeak::max);
  }

  @Override
  public void close() {
    sampling.close();
  }
}
