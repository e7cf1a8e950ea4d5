// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class IdSourceTest {

  private static final int KEYS = 1_000;
  private static final int DRAWS = 1_000_000;
  private static final long SEED = 17;

  private static int[] frequencies(IdSource source) {
    int[] frequencies = new int[KEYS];
    for (int i = 0; i < DRAWS; i++) {
      frequencies[(int) source.next()]++;
    }
    return frequencies;
  }

  @Test
  void uniformDrawsAllNumbersEqually() {
    assertThat(frequencies(IdSource.uniform(KEYS, SEED)))
        .satisfies(frequencies -> assertThat(
                Arrays.stream(frequencies).allMatch(n -> n > 800 && n < 1_200))
            .isTrue());
  }

  @Test
  void zipfianFrequencyFallsWithRank() {
    int[] sorted =
        Arrays.stream(frequencies(IdSource.zipfian(KEYS, SEED))).sorted().toArray();
    double normaliser = IntStream.rangeClosed(1, KEYS)
        .mapToDouble(rank -> Math.pow(rank, -IdSource.ZIPFIAN_EXPONENT))
        .sum();
    for (int rank : new int[] {1, 2, 10, 100}) {
      double expected = DRAWS * Math.pow(rank, -IdSource.ZIPFIAN_EXPONENT) / normaliser;
      assertThat((double) sorted[KEYS - rank]).isCloseTo(expected, within(expected * 0.1));
    }
  }

  @Test
  void zipfianScattersFrequentNumbers() {
    int[] frequencies = frequencies(IdSource.zipfian(KEYS, SEED));
    int[] hot = IntStream.range(0, KEYS)
        .boxed()
        .sorted((a, b) -> frequencies[b] - frequencies[a])
        .mapToInt(Integer::intValue)
        .limit(10)
        .sorted()
        .toArray();
    int closest =
        IntStream.range(1, hot.length).map(i -> hot[i] - hot[i - 1]).min().orElseThrow();
    assertThat(closest).isGreaterThan(20);
  }

  @Test
  void zipfianDrawsEveryNumber() {
    assertThat(frequencies(IdSource.zipfian(KEYS, SEED))).doesNotContain(0);
  }

  @Test
  void acceptsSingleKey() {
    assertThat(IdSource.zipfian(1, SEED).next()).isZero();
    assertThat(IdSource.uniform(1, SEED).next()).isZero();
  }

  @Test
  void sameSeedDrawsSameNumbers() {
    IdSource one = IdSource.zipfian(KEYS, SEED);
    IdSource two = IdSource.zipfian(KEYS, SEED);
    for (int i = 0; i < 100; i++) {
      assertThat(one.next()).isEqualTo(two.next());
    }
  }
}
