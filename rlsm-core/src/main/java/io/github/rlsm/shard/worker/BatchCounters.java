// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.worker;

import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/** Counts the batch sizes of one worker. Threads: only the worker counts; any thread reads. */
final class BatchCounters {

  private final AtomicLongArray writes;
  private final AtomicLongArray reads;
  private final AtomicLongArray others = new AtomicLongArray(1);

  BatchCounters(int batchMax) {
    this.writes = new AtomicLongArray(batchMax + 1);
    this.reads = new AtomicLongArray(batchMax + 1);
  }

  void count(Request.Kind kind, int size) {
    switch (kind) {
      case WRITE -> increment(writes, size);
      case READ -> increment(reads, size);
      case ALONE -> increment(others, 0);
    }
  }

  /** Increments a counter. A plain read suffices, because the worker is the only writer. */
  private static void increment(AtomicLongArray counters, int place) {
    counters.setOpaque(place, counters.getPlain(place) + 1);
  }

  BatchSizes sizes() {
    return new BatchSizes(list(writes), list(reads), others.get(0));
  }

  private static List<Long> list(AtomicLongArray counters) {
    return IntStream.range(0, counters.length()).mapToObj(counters::getOpaque).toList();
  }
}
