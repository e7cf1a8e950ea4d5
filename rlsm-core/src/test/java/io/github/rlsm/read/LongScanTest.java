// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.engine.Engine;
import io.github.rlsm.engine.TestEngine;
import io.github.rlsm.engine.WriteScratch;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.thread.Environment;
import io.github.rlsm.thread.ThreadScheduler;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests the batches of a scan over many entries. */
class LongScanTest {

  private static final byte[] PREFIX = {0};
  private static final int ENTRIES = TestEngine.ENTRIES;

  private static List<Integer> batches(Engine engine, long limit) {
    List<Integer> batches = new ArrayList<>();
    Scans.Request request = new Scans.Request(KeyRange.ALL, false, limit, false);
    try (Scan scan = engine.scan(engine.snapshot(), request)) {
      int left = 0;
      while (scan.next()) {
        if (left == 0) {
          left = scan.batchCount();
          batches.add(left);
        }
        left--;
      }
    }
    return batches;
  }

  private static Engine filled() {
    Engine engine = Engine.open(
        new SimulatedDirectory(),
        TestEngine.SETTINGS,
        new Environment(() -> 0, new SplittableRandom(1), new ThreadScheduler("test", 1)));
    for (int i = 0; i < ENTRIES; i++) {
      byte[] key = ByteBuffer.allocate(4).putInt(i).array();
      engine.put(WriteScratch.of(PREFIX, key, 0, 4), key, 0, 4, Durability.BUFFERED);
    }
    return engine;
  }

  /** Each batch enters the guard against a concurrent close again. */
  @Test
  void aScanWithALowLimitReadsOneBatch() {
    try (Engine engine = filled()) {
      assertThat(batches(engine, 1)).containsExactly(1);
      assertThat(batches(engine, 128)).containsExactly(128);
    }
  }

  /** The size of a batch doubles, and must not overflow after thousands of refills. */
  @Test
  void batchesGrowAndStayLarge() {
    try (Engine engine = filled()) {
      List<Integer> all = batches(engine, Long.MAX_VALUE);
      assertThat(all.subList(0, 5)).containsExactly(8, 16, 32, 64, 128);
      assertThat(all.subList(4, all.size() - 1)).containsOnly(128);
      assertThat(all.stream().mapToInt(Integer::intValue).sum()).isEqualTo(ENTRIES);
      assertThat(batches(engine, 200)).containsExactly(8, 16, 32, 64, 80);
    }
  }
}
