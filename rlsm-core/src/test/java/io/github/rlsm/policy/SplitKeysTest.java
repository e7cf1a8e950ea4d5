// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.SeededRuns;
import io.github.rlsm.policy.SplitKeys.WeightedKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SplitKeysTest {

  @Test
  void cutsAfterTheMedian() {
    List<WeightedKey> samples = samples(21, 2, 29, 5, 12, 1, 17, 3, 6, 4);
    assertThat(keys(SplitKeys.find(samples, 2))).containsExactly(6);
  }

  @Test
  void weightsMoveTheCut() {
    List<WeightedKey> samples = List.of(weighted(1, 10), weighted(2, 10), weighted(3, 80));
    assertThat(keys(SplitKeys.find(samples, 2))).containsExactly(3);
  }

  @Test
  void oneKeyCannotBeCut() {
    assertThat(SplitKeys.find(samples(7, 7, 7), 2)).isEmpty();
    assertThat(SplitKeys.find(samples(7), 2)).isEmpty();
    assertThat(SplitKeys.find(List.of(), 2)).isEmpty();
  }

  @Test
  void aHeavyKeyIsCutOffAtItsLighterSide() {
    assertThat(keys(SplitKeys.find(samples(1, 7, 7, 7), 2))).containsExactly(7);
    assertThat(keys(SplitKeys.find(samples(7, 7, 7, 9), 2))).containsExactly(9);
  }

  @Test
  void piecesAreWithinOneSampleOfEqual() {
    SeededRuns.run(300, random -> {
      int n = 1 + random.nextInt(400);
      int pieces = 2 + random.nextInt(6);
      List<WeightedKey> samples = new ArrayList<>();
      for (int key : IntStream.range(0, n).toArray()) {
        samples.add(weighted(key, 1 + random.nextInt(100)));
      }
      Collections.shuffle(samples, random);
      long total = samples.stream().mapToLong(WeightedKey::bytes).sum();
      long heaviest = samples.stream().mapToLong(WeightedKey::bytes).max().orElseThrow();

      List<byte[]> cuts = SplitKeys.find(samples, pieces);

      assertThat(keys(cuts)).isSorted().doesNotHaveDuplicates();
      if (total > 2L * pieces * heaviest) {
        assertThat(cuts).hasSize(pieces - 1);
        for (int i = 0; i < cuts.size(); i++) {
          double wanted = (double) total * (i + 1) / pieces;
          assertThat((double) below(samples, cuts.get(i)))
              .isBetween(wanted - heaviest, wanted + heaviest);
        }
      }
    });
  }

  @Test
  void repeatedKeysStayTogether() {
    SeededRuns.run(300, random -> {
      int n = 2 + random.nextInt(100);
      List<WeightedKey> samples = new ArrayList<>();
      random.ints(n, 0, 1 + random.nextInt(10)).forEach(key -> samples.add(weighted(key, 1)));
      long distinct =
          samples.stream().map(s -> IntKeys.ceiling(s.key())).distinct().count();

      List<byte[]> cuts = SplitKeys.find(samples, 2);

      assertThat(cuts).hasSize(distinct > 1 ? 1 : 0);
      for (byte[] cut : cuts) {
        assertThat(below(samples, cut)).isBetween(1L, n - 1L);
      }
    });
  }

  private static long below(List<WeightedKey> samples, byte[] cut) {
    return samples.stream()
        .filter(sample -> Arrays.compareUnsigned(sample.key(), cut) < 0)
        .mapToLong(WeightedKey::bytes)
        .sum();
  }

  private static WeightedKey weighted(int key, long bytes) {
    return new WeightedKey(IntKeys.key(key), bytes);
  }

  private static List<WeightedKey> samples(int... keys) {
    return IntStream.of(keys).mapToObj(key -> weighted(key, 1)).toList();
  }

  private static List<Integer> keys(List<byte[]> cuts) {
    return cuts.stream().map(IntKeys::ceiling).toList();
  }
}
