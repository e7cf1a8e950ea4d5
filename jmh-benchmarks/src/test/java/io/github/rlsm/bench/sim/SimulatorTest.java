// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.rlsm.policy.PolicySettings;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulatorTest {

  private static final double MIB = 1 << 20;
  private static final double GIB = 1 << 30;

  private static Simulator simulator(Writes writes, int partitionsMax) {
    return new Simulator(writes, PolicySettings.DEFAULT, 120, partitionsMax);
  }

  @Test
  void sampleMatchesWholeSimulation() {
    Simulator whole = simulator(Writes.inserts(), Integer.MAX_VALUE);
    Simulator sample = simulator(Writes.inserts(), 16);
    whole.play(4 * GIB);
    sample.play(4 * GIB);
    SimPoint all = whole.play(16 * GIB);
    SimPoint few = sample.play(16 * GIB);

    assertThat(few.writeAmplification())
        .isCloseTo(all.writeAmplification(), within(0.05 * all.writeAmplification()));
    assertThat(few.depth().runs())
        .isCloseTo(all.depth().runs(), within(0.1 * all.depth().runs()));
    assertThat(few.layout().partitions())
        .isCloseTo(all.layout().partitions(), within(0.15 * all.layout().partitions()));
    assertThat(few.space().fileBytes())
        .isCloseTo(all.space().fileBytes(), within(0.05 * all.space().fileBytes()));
  }

  @Test
  void sampleOfOverwritesMatchesWholeSimulation() {
    Writes writes = Writes.overwrites(4 * GIB / 120);
    SimPoint all = simulator(writes, Integer.MAX_VALUE).play(12 * GIB);
    SimPoint few = simulator(writes, 16).play(12 * GIB);

    assertThat(few.writeAmplification())
        .isCloseTo(all.writeAmplification(), within(0.05 * all.writeAmplification()));
    assertThat(few.space().spaceAmplification())
        .isCloseTo(
            all.space().spaceAmplification(), within(0.1 * all.space().spaceAmplification()));
  }

  @Test
  void orderedKeysAreNeverRewritten() {
    SimPoint point = simulator(Writes.ordered(1), 0).play(16 * GIB);
    assertThat(point.writeAmplification()).isCloseTo(1, within(0.01));
    assertThat(point.layout().merges()).isZero();
  }

  @Test
  void liveBytesMatchInsertedBytes() {
    SimPoint point = simulator(Writes.inserts(), 16).play(8 * GIB);
    assertThat(point.space().spaceAmplification()).isBetween(0.99, 1.3);
    assertThat(point.space().fileBytes())
        .isCloseTo(8 * GIB * point.space().spaceAmplification(), within(GIB));
  }

  /**
   * All slices of new keys have the same size. So no byte in a partition is rewritten more than w
   * times for binomial(runs + w, w) slices. Three writes are added: the flush, the copy into the
   * partition, and one more rewrite because splits make slices smaller. From 1 GiB on thresholds
   * grow, so this bound uses their smallest values.
   */
  @Test
  void insertsStayWithinBinomialBound() {
    Simulator simulator = simulator(Writes.inserts(), 16);
    PolicySettings small = PolicySettings.DEFAULT;
    for (double size = GIB; size <= 256 * GIB; size *= 2) {
      double slices = size / small.flushBytes() / (small.l0Trigger() + 1);
      int w = 0;
      for (double held = 1; held < slices; held = held * (small.runCountMax() + w) / w) {
        w++;
      }
      assertThat(simulator.play(size).writeAmplification())
          .as("%.0f GiB", size / GIB)
          .isLessThanOrEqualTo(3 + w);
    }
  }

  @Test
  void writeAmplificationGrowsSlowlyWithSize() {
    Simulator simulator = simulator(Writes.inserts(), 16);
    double one = simulator.play(GIB).writeAmplification();
    simulator.play(512 * GIB);
    SimPoint thousand = simulator.play(1024 * GIB);
    assertThat(one).isLessThanOrEqualTo(3);
    // Ten doublings with half a rewrite each.
    assertThat(thousand.writeAmplification()).isLessThanOrEqualTo(one + 5);
    PolicySettings grown = PolicySettings.DEFAULT.grownTo(1024 * GIB, 0);
    assertThat(thousand.depth().runsMax()).isLessThanOrEqualTo(grown.runCountMax());
    assertThat(thousand.depth().l0Runs()).isLessThanOrEqualTo(grown.l0Trigger());
    assertThat(thousand.layout().partitions()).isLessThanOrEqualTo(2 * 1_024 * 4);
  }

  @Test
  void leveledModelMatchesMeasuredWriteAmplification() {
    Peers.Point[] leveled = Peers.play(64 * MIB, List.of(GIB, 100 * GIB))
        .get("leveled, fanout 10")
        .toArray(Peers.Point[]::new);
    assertThat(leveled[0].writeAmplification()).isCloseTo(3.1, within(0.2 * 3.1));
    assertThat(leveled[1].writeAmplification()).isCloseTo(14, within(0.2 * 14));
  }

  /** Files grow at most by the size of the deletes, and are empty at the end. */
  @Test
  void fullDeleteFreesAllSpace() {
    double bytes = 4 * GIB;
    Simulator simulator = simulator(new FullDelete(bytes / 120), Integer.MAX_VALUE);
    SimPoint full = simulator.play(bytes);
    SimPoint half = simulator.play(1.5 * bytes);
    assertThat(half.space().fileBytes())
        .isBetween(0.5 * bytes, full.space().fileBytes() + bytes / 12);
    simulator.play(2 * bytes);
    SimPoint rest = simulator.rest();
    assertThat(rest.space().fileBytes()).isLessThanOrEqualTo(0.05 * bytes);
    assertThat(rest.layout().partitions()).isLessThanOrEqualTo(1);
    assertThat(rest.writtenBytes() - full.writtenBytes()).isLessThanOrEqualTo(4 * bytes);
  }

  @Test
  void fixedHotRangeIsRewrittenForGarbageOnly() {
    double keys = 4 * GIB / 120;
    SimPoint point = new Simulator(
            new HotRange(keys, 0.01, 0.99), PolicySettings.DEFAULT, 120, Integer.MAX_VALUE)
        .play(12 * GIB);
    assertThat(point.writeAmplification()).isLessThanOrEqualTo(2 + 0.85 / 0.15);
    assertThat(point.space().spaceAmplification()).isLessThanOrEqualTo(1 / 0.7 / 0.8);
  }
}
