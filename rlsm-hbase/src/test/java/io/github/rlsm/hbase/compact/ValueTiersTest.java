// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.compact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ValueTiersTest {

  private static final long LARGE = 64_000;

  private static Optional<List<Long>> choose(List<Long> sizes) {
    return ValueTiers.choose(sizes, ValueTiers.FANOUT, size -> size, LARGE);
  }

  private static List<Long> times(int count, long size) {
    return new ArrayList<>(Collections.nCopies(count, size));
  }

  @Test
  void nothingIsDueForFewerThanAFullTier() {
    List<Long> sizes = times(7, 20_000L);
    sizes.addAll(times(7, 2_000L));
    sizes.addAll(times(7, 0L));
    sizes.addAll(times(100, LARGE));
    assertThat(choose(sizes)).isEmpty();
  }

  @Test
  void theOldestOfTheLowestFullTierAreMerged() {
    List<Long> sizes = times(9, 20_000L);
    sizes.add(1_000L);
    sizes.addAll(times(9, 1_001L));
    assertThat(choose(sizes).orElseThrow())
        .containsExactly(1_000L, 1_001L, 1_001L, 1_001L, 1_001L, 1_001L, 1_001L, 1_001L);
    assertThat(choose(times(9, 20_000L)).orElseThrow()).hasSize(ValueTiers.FANOUT);
  }

  @Test
  void aLimitOfZeroDisablesMerging() {
    assertThat(ValueTiers.choose(times(100, 5L), ValueTiers.FANOUT, size -> size, 0))
        .isEmpty();
  }

  /** Flushes of similar size, at least an eighth of the limit. */
  @Test
  void valuesOfFullFlushesAreRewrittenOnce() {
    Random random = new Random(1);
    Simulation simulation = new Simulation();
    for (int i = 0; i < 1_000; i++) {
      simulation.flush(8_000 + random.nextInt(30_000));
    }
    assertThat(simulation.amplification()).isBetween(0.9, 1.0);
    assertThat(simulation.files.size()).isLessThan(1_000 / 8 + 8);
    assertThat(simulation.files).filteredOn(size -> size < LARGE).hasSizeLessThan(8);
  }

  /** With any sizes, a value is rewritten once for each tier above its first one. */
  @Test
  void valuesOfSmallFlushesAreRewrittenOncePerTier() {
    Random random = new Random(2);
    Simulation simulation = new Simulation();
    for (int i = 0; i < 20_000; i++) {
      simulation.flush(1 + (long) Math.pow(2, random.nextInt(16)));
    }
    assertThat(simulation.mostWrites).isLessThanOrEqualTo(6);
    assertThat(simulation.amplification()).isLessThan(2);
    assertThat(simulation.files).filteredOn(size -> size < LARGE).hasSizeLessThan(6 * 8);
    assertThat((long) simulation.files.size()).isLessThan(simulation.flushed / LARGE + 6 * 8);
  }

  /** A store without overwrites. */
  private static final class Simulation {
    final List<Long> files = new ArrayList<>();
    private final Map<Long, Integer> writes = new HashMap<>();
    long flushed;
    long written;
    int mostWrites;

    void flush(long size) {
      flushed += size;
      files.add(size);
      for (Optional<List<Long>> due = choose(files); due.isPresent(); due = choose(files)) {
        long sum = 0;
        int before = 0;
        for (Long file : due.get()) {
          files.remove(file);
          sum += file;
          before = Math.max(before, writes.getOrDefault(file, 0));
        }
        files.add(0, sum);
        writes.merge(sum, before + 1, Math::max);
        mostWrites = Math.max(mostWrites, before + 1);
        written += sum;
      }
    }

    double amplification() {
      return (double) written / flushed;
    }
  }
}
