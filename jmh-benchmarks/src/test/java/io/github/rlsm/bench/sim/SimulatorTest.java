// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.rlsm.policy.PolicySettings;
import org.junit.jupiter.api.Test;

class SimulatorTest {

  private static final double MIB = 1 << 20;
  private static final double GIB = 1 << 30;

  private static Simulator simulator(Writes writes, int partitionsMax) {
    return new Simulator(writes, PolicySettings.DEFAULT, 120, partitionsMax);
  }

  @Test
  void aSampleGivesWhatTheWholeGives() {
    Simulator whole = simulator(Writes.inserts(), Integer.MAX_VALUE);
    Simulator sample = simulator(Writes.inserts(), 16);
    whole.play(4 * GIB);
    sample.play(4 * GIB);
    SimPoint all = whole.play(16 * GIB);
    SimPoint few = sample.play(16 * GIB);

    assertThat(few.writeAmplification())
        .isCloseTo(all.writeAmplification(), within(0.05 * all.writeAmplification()));
    assertThat(few.runs()).isCloseTo(all.runs(), within(0.1 * all.runs()));
    assertThat(few.partitions()).isCloseTo(all.partitions(), within(0.15 * all.partitions()));
    assertThat(few.fileBytes()).isCloseTo(all.fileBytes(), within(0.05 * all.fileBytes()));
  }

  @Test
  void aSampleOfOverwritesGivesWhatTheWholeGives() {
    Writes writes = Writes.overwrites(4 * GIB / 120);
    SimPoint all = simulator(writes, Integer.MAX_VALUE).play(12 * GIB);
    SimPoint few = simulator(writes, 16).play(12 * GIB);

    assertThat(few.writeAmplification())
        .isCloseTo(all.writeAmplification(), within(0.05 * all.writeAmplification()));
    assertThat(few.spaceAmplification())
        .isCloseTo(all.spaceAmplification(), within(0.1 * all.spaceAmplification()));
  }

  @Test
  void orderedKeysAreNeverRewritten() {
    SimPoint point = simulator(Writes.ordered(1), 0).play(16 * GIB);
    assertThat(point.writeAmplification()).isCloseTo(1, within(0.01));
    assertThat(point.merges()).isZero();
  }

  @Test
  void nothingIsLostOrMadeUp() {
    SimPoint point = simulator(Writes.inserts(), 16).play(8 * GIB);
    assertThat(point.spaceAmplification()).isBetween(0.99, 1.3);
    assertThat(point.fileBytes()).isCloseTo(8 * GIB * point.spaceAmplification(), within(GIB));
  }
}
