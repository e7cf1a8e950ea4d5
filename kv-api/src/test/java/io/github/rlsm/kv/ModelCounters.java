// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The counters of a {@link ModelStore}.
 *
 * <p>Threads: any.
 */
final class ModelCounters {

  private final AtomicLong operations = new AtomicLong();
  private final AtomicLong userBytes = new AtomicLong();
  private final AtomicLong gets = new AtomicLong();
  private final AtomicInteger open = new AtomicInteger();

  void countWrite(long bytes) {
    operations.incrementAndGet();
    userBytes.addAndGet(bytes);
  }

  void countGets(int keys) {
    gets.addAndGet(keys);
  }

  /** Counts an opened snapshot or iterator. */
  void opened() {
    open.incrementAndGet();
  }

  /** Counts a closed snapshot or iterator. */
  void closed() {
    open.decrementAndGet();
  }

  /** Returns the counters. All file counters are zero. */
  Stats toStats(long liveBytes) {
    long reads = gets.get();
    return new Stats(
        new Stats.Writes(operations.get(), userBytes.get(), Map.of(), 0, 0),
        new Stats.Reads(reads, reads, new Stats.Cache(0, 0), new Stats.Filters(0, 0), 0, 0),
        new Stats.Space(0, liveBytes, 0, 0),
        new Stats.Stalls(0, 0),
        Stats.Failures.NONE,
        new Stats.Resources(Map.of("entries", liveBytes), Stats.Mappings.NONE, open.get()));
  }
}
