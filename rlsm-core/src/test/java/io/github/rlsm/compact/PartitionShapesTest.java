// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.policy.PartitionShape;
import io.github.rlsm.policy.RunShape;
import io.github.rlsm.table.Table;
import io.github.rlsm.versionset.PinnedVersion;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests which pages of runs are read to describe partitions, and when. */
class PartitionShapesTest {

  private static final int PARTITIONS = 60;

  private final ManyPartitions level = new ManyPartitions(10);
  private final PartitionShapes shapes = new PartitionShapes();

  @AfterEach
  void close() {
    level.close();
  }

  private List<PartitionShape> describe() {
    PinnedVersion<Table> files = level.pin();
    try {
      return shapes.of(files);
    } finally {
      files.unpin();
    }
  }

  private static long dead(PartitionShape partition) {
    return partition.runs().stream().mapToLong(RunShape::deadEntries).sum();
  }

  private long table(int partition, int run) {
    PinnedVersion<Table> files = level.pin();
    try {
      return files.version().partitions().get(partition).runs().get(run).table();
    } finally {
      files.unpin();
    }
  }

  /** A store that was just opened has no samples in memory. */
  @Test
  void manyRunsAreSampledInSeveralRounds() {
    for (int i = 0; i < PARTITIONS; i++) {
      level.add(i, 3, 0, 0, 0, 0);
    }
    List<PartitionShape> partly = describe();
    assertThat(shapes.isComplete()).isFalse();
    assertThat(dead(partly.get(0))).isEqualTo(3 * ManyPartitions.ENTRIES);
    assertThat(dead(partly.get(PARTITIONS - 1))).isZero();

    int times = 1;
    for (; !shapes.isComplete(); times++) {
      describe();
    }
    assertThat(times).isBetween(2, PARTITIONS);
    List<PartitionShape> all = describe();
    assertThat(all)
        .hasSize(PARTITIONS)
        .allSatisfy(shape -> assertThat(dead(shape)).isEqualTo(3 * ManyPartitions.ENTRIES));
    assertThat(all.get(0)).isSameAs(partly.get(0));
    assertThat(describe()).isSameAs(all);
  }

  @Test
  void runIsReadOnlyOnce() {
    level.add(0, 3, 0);
    describe();
    assertThat(level.pagesRead(table(0, 0))).isZero();

    level.add(1, 3, 0);
    describe();
    long first = table(1, 0);
    long read = level.pagesRead(first);
    assertThat(read).isPositive();

    level.append(1, 3, 1);
    level.append(1, 3, 0);
    assertThat(dead(describe().get(1))).isEqualTo(ManyPartitions.ENTRIES);
    level.append(1, 3, 1);
    assertThat(dead(describe().get(1))).isEqualTo(2 * ManyPartitions.ENTRIES);
    // A lookup of a sampled key reads the page of the newer run that has the key, and no page of
    // its own run.
    assertThat(level.pagesRead(first)).isEqualTo(read);
    assertThat(level.pagesRead(table(0, 0))).isZero();
  }
}
