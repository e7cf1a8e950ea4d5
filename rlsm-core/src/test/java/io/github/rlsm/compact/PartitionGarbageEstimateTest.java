// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.compact.PartitionGarbageEstimate.Newer;
import io.github.rlsm.compact.PartitionGarbageEstimate.Part;
import io.github.rlsm.compact.PartitionGarbageEstimate.Population;
import io.github.rlsm.policy.PartitionShape;
import io.github.rlsm.table.Table;
import io.github.rlsm.versionset.PinnedVersion;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionGarbageEstimateTest {

  private static double oldestRunsShare(ManyPartitions level) {
    PinnedVersion<Table> files = level.pin();
    try {
      Newer newer = new Newer();
      int runs = files.partition(0).partition().runs().size();
      for (int i = runs - 1; i > 0; i--) {
        newer.add(new Part(files.partition(0).table(i), KeyRange.ALL, ManyPartitions.ENTRIES));
      }
      return new PartitionGarbageEstimate()
          .share(
              new Part(files.partition(0).table(0), KeyRange.ALL, ManyPartitions.ENTRIES),
              newer,
              files.version().keyspaces(),
              new Population(1, runs, (long) runs * ManyPartitions.ENTRIES),
              true);
    } finally {
      files.unpin();
    }
  }

  /** Eight filters of four bits per key together pass two thirds of all keys. */
  @ParameterizedTest
  @ValueSource(ints = {0, 4, 10})
  void distinctKeysAreAlive(int filterBits) {
    try (ManyPartitions level = new ManyPartitions(filterBits)) {
      level.add(0, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8);
      assertThat(oldestRunsShare(level)).isLessThanOrEqualTo(0.15);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 4, 10})
  void overwrittenKeysAreDead(int filterBits) {
    try (ManyPartitions level = new ManyPartitions(filterBits)) {
      level.add(0, 9, 0, 1, 2, 3, 4, 5, 6, 7, 0);
      assertThat(oldestRunsShare(level)).isEqualTo(1, within(1e-9));
    }
  }

  @Test
  void halfOverwrittenRunIsHalfDead() {
    try (ManyPartitions level = new ManyPartitions(10)) {
      level.add(0, 2, 0, 1, ManyPartitions.ENTRIES);
      assertThat(oldestRunsShare(level)).isBetween(0.35, 0.65);
    }
  }

  @Test
  void onlyChangedPartitionsAreDescribedAgain() {
    try (ManyPartitions level = new ManyPartitions(10)) {
      for (int i = 0; i < 5; i++) {
        level.add(i, 3, 0, 1, 2);
      }
      PartitionShapes shapes = new PartitionShapes();
      List<PartitionShape> before = shapes(level, shapes);
      level.touch(2);
      List<PartitionShape> after = shapes(level, shapes);
      assertThat(after).isEqualTo(before).hasSize(5);
      for (int i = 0; i < 5; i++) {
        if (i == 2) {
          assertThat(after.get(i)).isNotSameAs(before.get(i));
        } else {
          assertThat(after.get(i)).isSameAs(before.get(i));
        }
      }
    }
  }

  private static List<PartitionShape> shapes(ManyPartitions level, PartitionShapes shapes) {
    PinnedVersion<Table> files = level.pin();
    try {
      return shapes.of(files);
    } finally {
      files.unpin();
    }
  }
}
