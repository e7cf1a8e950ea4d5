// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.worker;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/**
 * Histograms of the workers' batch sizes. Element <i>n</i> of a list is the number of batches of
 * <i>n</i> requests.
 *
 * @param writes batches of puts and deletes, each written as one batch
 * @param reads batches of lookups, each read as one {@code multiGet} for each keyspace
 * @param others number of all other requests, each served alone
 */
public record BatchSizes(List<Long> writes, List<Long> reads, long others) {

  /** Copies the lists. */
  public BatchSizes {
    writes = List.copyOf(writes);
    reads = List.copyOf(reads);
  }

  /** Returns the mean number of requests in a batch: 1 without batching, 0 without requests. */
  public static double average(List<Long> sizes) {
    long groups = 0;
    long requests = 0;
    for (int size = 0; size < sizes.size(); size++) {
      groups += sizes.get(size);
      requests += size * sizes.get(size);
    }
    return groups == 0 ? 0 : (double) requests / groups;
  }

  /** Returns the sum of both histograms. */
  public BatchSizes plus(BatchSizes other) {
    return new BatchSizes(
        sum(writes, other.writes), sum(reads, other.reads), others + other.others);
  }

  private static List<Long> sum(List<Long> a, List<Long> b) {
    List<Long> sum = new ArrayList<>(Collections.nCopies(Math.max(a.size(), b.size()), 0L));
    for (int i = 0; i < sum.size(); i++) {
      sum.set(i, (i < a.size() ? a.get(i) : 0) + (i < b.size() ? b.get(i) : 0));
    }
    return sum;
  }

  /** Counts the batch sizes of one worker. Threads: only the worker counts; any thread reads. */
  static final class Counters {

    private final AtomicLongArray writes;
    private final AtomicLongArray reads;
    private final AtomicLongArray others = new AtomicLongArray(1);

    Counters(int batchMax) {
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
}
