// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.rlsm.table.Table;
import io.github.rlsm.versionset.PinnedVersion;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class Level0GarbageEstimateTest {

  private static final int ENTRY_BYTES = 8 + 8;

  private final ManyPartitions level = new ManyPartitions(10);
  private final Level0GarbageEstimate overwritten = new Level0GarbageEstimate();

  @AfterEach
  void close() {
    level.close();
  }

  private double deadInTables() {
    PinnedVersion<Table> files = level.pin();
    try {
      Map<Integer, Double> dead = overwritten.bytes(files);
      return dead.getOrDefault(Level0GarbageEstimate.TABLES, 0.0);
    } finally {
      files.unpin();
    }
  }

  private long newestTable() {
    PinnedVersion<Table> files = level.pin();
    try {
      return files.version().l0().get(0).table();
    } finally {
      files.unpin();
    }
  }

  private static int[] upTo(int partitions) {
    return IntStream.range(0, partitions).toArray();
  }

  @Test
  void largeLevelZeroIsCountedExactly() {
    level.add(0, 2, 0);
    level.addL0(0, 1, 0);
    double dead = ManyPartitions.ENTRIES / 2.0 * ENTRY_BYTES;
    assertThat(deadInTables()).isEqualTo(dead);
    assertThat(overwritten.share()).isEqualTo(0.5);
  }

  /** Only a few of the 20 * 300 entries in level 0 are sampled, eight of each page. */
  @Test
  void smallLevelZeroIsSampled() {
    int many = 100;
    for (int i = 0; i < many; i++) {
      level.add(i, 2, 0, 1, 0, 1, 0, 1, 0, 1);
    }
    int[] some = upTo(20);
    level.addL0Across(some, 1, 600);
    assertThat(deadInTables()).isZero();
    assertThat(level.pagesRead(newestTable())).isBetween(4L, 40L);

    level.addL0Across(some, 2, 0);
    double entries = some.length * (double) ManyPartitions.ENTRIES;
    assertThat(deadInTables()).isEqualTo(entries * ENTRY_BYTES, within(1e-6));
    assertThat(overwritten.share()).isEqualTo(1);
  }

  @Test
  void overwrittenShareOfATableIsCached() {
    level.add(0, 2, 0);
    level.addL0(0, 2, 0);
    double dead = deadInTables();
    long read = level.pagesRead(newestTable());
    assertThat(dead).isPositive();
    assertThat(read).isPositive();
    assertThat(deadInTables()).isEqualTo(dead);
    assertThat(level.pagesRead(newestTable())).isEqualTo(read);
  }
}
