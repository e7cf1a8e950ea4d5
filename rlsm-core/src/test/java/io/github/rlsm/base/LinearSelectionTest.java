// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LinearSelectionTest {

  /** The bound of the class comment, 30 n, with a margin for rounding in small groups. */
  private static final int COMPARISONS_PER_ELEMENT = 30;

  @Test
  void selectsTheSameElementAsSorting() {
    SeededRuns.run(300, random -> {
      int n = 1 + random.nextInt(300);
      int distinct = 1 + random.nextInt(n);
      Integer[] input = random.ints(n, 0, distinct).boxed().toArray(Integer[]::new);
      int k = random.nextInt(n);
      checkSelected(input, 0, n, k);
      int from = random.nextInt(n);
      int to = from + 1 + random.nextInt(n - from);
      checkSelected(input, from, to, from + random.nextInt(to - from));
    });
  }

  private static void checkSelected(Integer[] input, int from, int to, int k) {
    Integer[] sorted = input.clone();
    Arrays.sort(sorted, from, to);
    Integer[] selected = input.clone();
    LinearSelection.select(selected, from, to, k, Comparator.naturalOrder());
    assertThat(selected[k]).isEqualTo(sorted[k]);
    assertThat(Arrays.asList(selected).subList(from, k)).allMatch(x -> x <= selected[k]);
    assertThat(Arrays.asList(selected).subList(k, to)).allMatch(x -> x >= selected[k]);
    Arrays.sort(selected, from, to);
    assertThat(selected).as("same elements, others untouched").isEqualTo(sorted);
  }

  @Test
  void staysLinearOnEveryShapeOfInput() {
    Random random = new Random(1973);
    Map<String, IntFunction<int[]>> shapes = new TreeMap<>(Map.of(
        "ascending", n -> IntStream.range(0, n).toArray(),
        "descending", n -> IntStream.range(0, n).map(i -> n - i).toArray(),
        "all equal", n -> new int[n],
        "two values", n -> IntStream.range(0, n).map(i -> i % 2).toArray(),
        "organ pipe", n -> IntStream.range(0, n).map(i -> Math.min(i, n - i)).toArray(),
        "sawtooth", n -> IntStream.range(0, n).map(i -> i % 17).toArray(),
        "random", n -> random.ints(n).toArray(),
        "median of three killer", LinearSelectionTest::medianOfThreeKiller));
    shapes.forEach((name, shape) -> {
      for (int n : new int[] {1, 5, 6, 31, 1_000, 100_000}) {
        for (int k : new int[] {0, n / 2, n - 1}) {
          long comparisons = comparisons(shape.apply(n), k);
          assertThat(comparisons)
              .as("%s, n = %d, k = %d", name, n, k)
              .isLessThanOrEqualTo((long) COMPARISONS_PER_ELEMENT * n);
        }
      }
    });
  }

  /** Quadratic for quickselect with a median-of-three pivot (Musser 1997). */
  private static int[] medianOfThreeKiller(int n) {
    int[] a = new int[n];
    int half = n / 2;
    for (int i = 0; i < half; i++) {
      a[i] = i % 2 == 0 ? i + 1 : half + i;
      a[half + i] = 2 * (i + 1);
    }
    return a;
  }

  private static long comparisons(int[] input, int k) {
    Integer[] boxed = IntStream.of(input).boxed().toArray(Integer[]::new);
    long[] count = new long[1];
    LinearSelection.select(boxed, 0, boxed.length, k, (a, b) -> {
      count[0]++;
      return a.compareTo(b);
    });
    return count[0];
  }

  /**
   * The classic adversary fixes the order during the comparisons: each new pivot becomes the
   * smallest.
   */
  @Test
  void staysLinearAgainstAnAdversary() {
    int n = 20_000;
    Adversary adversary = new Adversary(n);
    Integer[] items = IntStream.range(0, n).boxed().toArray(Integer[]::new);
    LinearSelection.select(items, 0, n, n / 2, adversary);
    assertThat(adversary.comparisons).isLessThanOrEqualTo((long) COMPARISONS_PER_ELEMENT * n);
    assertThat(List.of(items)).doesNotHaveDuplicates();
  }

  /** McIlroy's "A killer adversary for quicksort" (1999). Not thread-safe. */
  private static final class Adversary implements Comparator<Integer> {
    private final int gas;
    private final int[] value;
    private int solid;
    private int candidate;
    private long comparisons;

    Adversary(int n) {
      gas = n;
      value = new int[n];
      Arrays.fill(value, gas);
    }

    @Override
    public int compare(Integer a, Integer b) {
      comparisons++;
      if (value[a] == gas && value[b] == gas && !a.equals(b)) {
        value[a.equals(candidate) ? a : b] = solid++;
      }
      if (value[a] == gas) {
        candidate = a;
      } else if (value[b] == gas) {
        candidate = b;
      }
      return Integer.compare(value[a], value[b]);
    }
  }
}
