// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.rocks;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Counts figures of the contract that RocksDB does not count. Threads: any. */
final class RocksCounters {

  private final LongAdder operations = new LongAdder();
  private final LongAdder userBytes = new LongAdder();
  private final LongAdder gets = new LongAdder();
  private final AtomicInteger open = new AtomicInteger();

  void wrote(int count, long bytes) {
    operations.add(count);
    userBytes.add(bytes);
  }

  void got(int count) {
    gets.add(count);
  }

  /** Adds to the number of open snapshots and iterators. */
  void opened(int more) {
    open.addAndGet(more);
  }

  long operations() {
    return operations.sum();
  }

  long userBytes() {
    return userBytes.sum();
  }

  long gets() {
    return gets.sum();
  }

  int open() {
    return open.get();
  }
}
