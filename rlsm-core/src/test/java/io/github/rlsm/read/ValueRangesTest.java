// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.valuelog.ValueLog;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests the requests of a scan for its values. */
class ValueRangesTest {

  private static final int KEY_BYTES = 16;

  private static void addValues(ValueRanges ranges, SplittableRandom random) {
    ranges.clear();
    for (int i = 0; i < ScanBatch.COUNT_MAX; i++) {
      int offset = random.nextInt(1 << 30);
      ranges.add(ValuePointer.of(1 + random.nextInt(9), offset, false, 500), KEY_BYTES);
    }
  }

  /** A scan of cold values in write order requests a range for each value. */
  @Test
  void aRequestAllocatesNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    SplittableRandom random = new SplittableRandom(3);
    try (ValueLog log = new ValueLog(new SimulatedDirectory(), 1, () -> 0, () -> {})) {
      ValueRanges ranges = new ValueRanges(ScanBatch.COUNT_MAX);
      long allocated = 0;
      for (int i = 0; i < 200; i++) {
        addValues(ranges, random);
        long begin = threads.getCurrentThreadAllocatedBytes();
        ranges.ask(log, 100, i % 2 == 0);
        // The first calls load classes.
        allocated += i < 100 ? 0 : threads.getCurrentThreadAllocatedBytes() - begin;
      }
      assertThat(allocated).isZero();
    }
  }

  @Test
  void onlyValuesInTheOrderOfTheScanAreReadAhead() {
    try (ValueLog log = new ValueLog(new SimulatedDirectory(), 1, () -> 0, () -> {})) {
      ValueRanges ranges = new ValueRanges(ScanBatch.COUNT_MAX);
      for (int i = 0; i < 20; i++) {
        ranges.add(ValuePointer.of(1, 1_000 + 600 * i, false, 500), KEY_BYTES);
      }
      ranges.ask(log, 20, true);
      assertThat(ranges.areAhead()).isFalse();
      ranges.clear();
      for (int i = 20; i > 0; i--) {
        ranges.add(ValuePointer.of(1, 1_000 + 600 * i, false, 500), KEY_BYTES);
      }
      ranges.ask(log, 20, true);
      assertThat(ranges.areAhead()).isTrue();
      ranges.reset();
      assertThat(ranges.areAhead()).isFalse();
      assertThat(ranges.count()).isZero();
    }
  }
}
