// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How many requests the workers served as one: at place <i>n</i> of a list, how often it was
 * <i>n</i>.
 *
 * @param writes puts and deletes that became one batch
 * @param reads lookups that became one
 * @param others everything else, which is served alone
 */
public record BatchSizes(List<Long> writes, List<Long> reads, long others) {

  /** Copies the lists. */
  public BatchSizes {
    writes = List.copyOf(writes);
    reads = List.copyOf(reads);
  }

  /** Requests for each time some were served: 1 without batching, 0 if there were none. */
  public static double average(List<Long> sizes) {
    long groups = 0;
    long requests = 0;
    for (int size = 0; size < sizes.size(); size++) {
      groups += sizes.get(size);
      requests += size * sizes.get(size);
    }
    return groups == 0 ? 0 : (double) requests / groups;
  }

  BatchSizes plus(BatchSizes other) {
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
}
