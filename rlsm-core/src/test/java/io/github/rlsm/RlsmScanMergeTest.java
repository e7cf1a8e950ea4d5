// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.ScanOptions;
import io.github.rlsm.thread.Environment;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Tests the time that scans pay for the merge of the runs that they meet. The clock of this store
 * gives each scan a duration of its seeks and a duration of its entries.
 */
class RlsmScanMergeTest {

  private static final int RUNS = 3;
  private static final int ENTRIES = 100;

  /** The first key that lies in the range of each run. */
  private static final int FIRST = RUNS;

  private long clock;

  /** Nanoseconds between the calls of the clock that a scan of one batch makes. */
  private long[] steps = {0, 0};

  private int calls;

  private long nanos() {
    if (calls > 0 && calls <= steps.length) {
      clock += steps[calls - 1];
    }
    calls++;
    return clock;
  }

  /** Returns the number of scans of a new store until its runs are merged. */
  private int scansUntilMerged(long seekNanos, long entriesNanos) {
    SimulatedDirectory directory = new SimulatedDirectory();
    try (RlsmStore store = RlsmStore.open(
        directory,
        RlsmOptions.builder().memoryBudget(16 << 20).build(),
        new Environment(this::nanos, new SplittableRandom(7), new InlineScheduler()))) {
      fill(store);
      assertThat(tables(directory)).isEqualTo(RUNS);
      steps = new long[] {seekNanos, entriesNanos};
      int scans = 0;
      while (tables(directory) > 1) {
        calls = 0;
        assertThat(scanned(store)).isEqualTo(ENTRIES - FIRST);
        store.settle();
        scans++;
        assertThat(scans).as("scans without a merge").isLessThan(1_000);
      }
      return scans;
    }
  }

  /** Fills the store with runs that all have keys from the whole range. */
  private static void fill(RlsmStore store) {
    for (int run = 0; run < RUNS; run++) {
      for (int i = run; i < ENTRIES; i += RUNS) {
        store.put(key(i), new byte[8]);
      }
      store.flush();
      store.settle();
    }
  }

  private static byte[] key(int i) {
    return ByteBuffer.allocate(4).putInt(i).array();
  }

  private static long tables(SimulatedDirectory directory) {
    return directory.list().stream()
        .filter(name -> StoreFileName.parse(name).orElseThrow().type() == StoreFileName.Type.TABLE)
        .count();
  }

  private static int scanned(RlsmStore store) {
    int found = 0;
    ScanOptions options = ScanOptions.builder().from(key(FIRST)).limit(ENTRIES).build();
    try (KvIterator scan = store.scan(options)) {
      while (scan.next()) {
        found++;
      }
    }
    return found;
  }

  @Test
  void aSeekCountsWithAllItsTime() {
    int slow = scansUntilMerged(30_000, 0);
    assertThat(scansUntilMerged(15_000, 0)).isBetween(2 * slow - 2, 2 * slow + 2);
  }

  @Test
  void entriesCountWithASixthOfTheirTime() {
    int seeks = scansUntilMerged(30_000, 0);
    assertThat(scansUntilMerged(15_000, 6 * 15_000)).isEqualTo(seeks);
  }
}
