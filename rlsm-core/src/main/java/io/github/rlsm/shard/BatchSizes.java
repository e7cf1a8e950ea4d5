// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import java.util.concurrent.atomic.LongAdder;

/** How many groups of requests were served, and how large they were. Threads: any. */
final class BatchSizes {

  private final LongAdder groups = new LongAdder();
  private final LongAdder requests = new LongAdder();

  void count(int size) {
    groups.increment();
    requests.add(size);
  }

  long groups() {
    return groups.sum();
  }

  long requests() {
    return requests.sum();
  }
}
