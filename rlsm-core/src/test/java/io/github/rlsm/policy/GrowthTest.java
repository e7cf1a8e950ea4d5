// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.SeqnoRange;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests how thresholds follow the size of the store. */
class GrowthTest {

  private static final double GIB = 1L << 30;
  private static final double TIB = 1024 * GIB;

  private static PolicySettings at(double bytes) {
    return PolicySettings.DEFAULT.grownTo(bytes, 0);
  }

  @Test
  void smallStoreKeepsTheConfiguredThresholds() {
    for (double bytes : new double[] {0, 1, GIB, 7.9 * GIB}) {
      PolicySettings small = at(bytes);
      assertThat(small.l0Trigger()).isEqualTo(4);
      assertThat(small.victimCountMin()).isEqualTo(5);
      assertThat(small.runCountMax()).isEqualTo(8);
      assertThat(small.partitionBytesMax()).isEqualTo(120L << 20);
      assertThat(small.partitionBytesMin()).isEqualTo(15L << 20);
    }
  }

  @Test
  void eachDoublingAllowsOneRunMore() {
    for (int doubling = 0; doubling <= 12; doubling++) {
      PolicySettings grown = at(4 * GIB * (1L << doubling));
      assertThat(grown.l0Trigger()).isEqualTo(4 + doubling);
      assertThat(grown.runCountMax()).isEqualTo(8 + doubling);
    }
  }

  @Test
  void readsStayBoundedAtAnySize() {
    for (double bytes : new double[] {16 * TIB, 100 * TIB, 1e30, Double.MAX_VALUE}) {
      PolicySettings grown = at(bytes);
      assertThat(grown.l0Trigger() + grown.runCountMax()).isEqualTo(4 + 8 + 2 * 12);
      assertThat(grown.partitionBytesMax()).isEqualTo(960L << 20);
      assertThat(grown.partitionBytesMin()).isEqualTo(120L << 20);
    }
  }

  @Test
  void oneCompactionMayTakeAllOfL0() {
    for (double bytes = GIB; bytes < 200 * TIB; bytes *= 2) {
      PolicySettings grown = at(bytes);
      assertThat(grown.compactBytesMax())
          .isGreaterThanOrEqualTo((grown.l0Trigger() + 1) * grown.flushBytes());
      assertThat(grown.victimCountMin()).isGreaterThan(grown.l0Trigger());
    }
  }

  @Test
  void partitionsGrowBeforeThereAreTooMany() {
    for (double bytes = GIB; bytes < 500 * GIB; bytes *= 1.3) {
      double partitions = bytes / at(bytes).partitionBytesMax();
      assertThat(partitions).isLessThan(2 * 1_024);
    }
  }

  @Test
  void valuesInTheLogCountAsFlushesAndNotAsPartitions() {
    PolicySettings grown = PolicySettings.DEFAULT.grownTo(GIB, 63 * GIB);
    assertThat(grown.runCountMax()).isEqualTo(at(64 * GIB).runCountMax());
    assertThat(grown.partitionBytesMax()).isEqualTo(120L << 20);
  }

  @Test
  void sizeOfALevelIncludesItsValues() {
    long quarter = (long) (4 * GIB);
    RunShape run = new RunShape(
        new RunShape.TableFile(1, quarter),
        IntKeys.span(0, 9),
        quarter,
        new RunShape.Counts(10, 0, 0),
        new SeqnoRange(1, 9),
        RunShape.Values.NONE);
    PartitionShape partition = new PartitionShape(IntKeys.span(0, 9), List.of(run));
    LevelShape level = new LevelShape(List.of(run), List.of(partition));
    assertThat(PolicySettings.DEFAULT.grownTo(level)).isEqualTo(at(8 * GIB));
  }

  @Test
  void growthStartsFromConfiguredLimits() {
    PolicySettings large = new SettingsBuilder()
        .partitionBytes(1L << 30, 4L << 30)
        .runCountMax(2)
        .l0(0, 1)
        .build();
    PolicySettings grown = large.grownTo(100 * TIB, 0);
    assertThat(grown.partitionBytesMax()).isEqualTo(4L << 30);
    assertThat(grown.partitionBytesMin()).isEqualTo(1L << 30);
    assertThat(grown.runCountMax()).isEqualTo(2 + 12);
    assertThat(grown.l0Trigger()).isEqualTo(12);
    assertThat(grown.whenIdle().l0Trigger()).isZero();
  }

  @Test
  void unlimitedThresholdsStayUnlimited() {
    PolicySettings none = new SettingsBuilder()
        .l0(Integer.MAX_VALUE, Integer.MAX_VALUE)
        .runCountMax(Integer.MAX_VALUE)
        .build()
        .grownTo(100 * TIB, 0);
    assertThat(none.l0Trigger()).isEqualTo(Integer.MAX_VALUE);
    assertThat(none.victimCountMin()).isEqualTo(Integer.MAX_VALUE);
    assertThat(none.runCountMax()).isEqualTo(Integer.MAX_VALUE);
  }
}
