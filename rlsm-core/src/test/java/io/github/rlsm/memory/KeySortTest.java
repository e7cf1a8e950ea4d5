// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.KeyOrder;
import io.github.rlsm.kv.TestSeed;
import io.github.rlsm.memory.MemoryComponent.MemtableStructure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares {@link KeySort} and {@link SortedRun} with sorted lists of keys. */
class KeySortTest {

  private final long seed = TestSeed.get();
  private final SplittableRandom random = new SplittableRandom(seed);
  private LoggedMemory memory;
  private List<byte[]> sorted;

  /** Keys by entry number. */
  private List<byte[]> keys;

  private void load(RandomKeys shape, int count) {
    memory = new LoggedMemory(MemtableStructure.SORTED_RUNS, Math.max(1, count), 2 << 20);
    sorted = new ArrayList<>(shape.draw(random, count));
    keys = new ArrayList<>(sorted);
    Collections.shuffle(keys, new Random(random.nextLong()));
    keys.forEach(memory::add);
  }

  private SortedRun sort(int from, int to) {
    int[] entries = new int[to - from + random.nextInt(3)];
    for (int i = from; i < to; i++) {
      entries[i - from] = i;
    }
    return new KeySort(memory.keys).sort(entries, to - from);
  }

  private void check(SortedRun run, List<byte[]> expected) {
    assertThat(run.size()).isEqualTo(expected.size());
    for (int i = 0; i < run.size(); i++) {
      assertThat(keys.get(run.entries()[i]))
          .as(TestSeed.howToReplay(seed))
          .isEqualTo(expected.get(i));
      assertThat(run.keyPrefix(i)).isEqualTo(prefix(expected.get(i)));
    }
  }

  private static long prefix(byte[] key) {
    return KeyOrder.prefix(key, 0, key.length);
  }

  @ParameterizedTest
  @EnumSource
  void sorts(RandomKeys shape) {
    for (int count : new int[] {0, 1, 2, 20, 24, 25, 26, 100, 600}) {
      load(shape, count);
      check(sort(0, keys.size()), sorted);
    }
  }

  @ParameterizedTest
  @EnumSource
  void merges(RandomKeys shape) {
    for (int count : new int[] {1, 2, 30, 300}) {
      load(shape, count);
      int cut = random.nextInt(keys.size() + 1);
      SortedRun merged = SortedRun.merge(sort(0, cut), sort(cut, keys.size()), memory.keys);
      check(merged, sorted);
      SortedRun withNone = SortedRun.merge(merged, sort(0, 0), memory.keys);
      check(withNone, sorted);
    }
  }

  @ParameterizedTest
  @EnumSource
  void findsLowerBounds(RandomKeys shape) {
    load(shape, 300);
    SortedRun run = sort(0, keys.size());
    List<byte[]> sought = new ArrayList<>(sorted);
    sought.addAll(shape.draw(random, 100));
    sought.add(new byte[0]);
    for (byte[] key : sorted) {
      sought.add(Arrays.copyOf(key, key.length - 1));
      sought.add(Arrays.copyOf(key, key.length + 1));
    }
    for (byte[] key : sought) {
      int expected = 0;
      while (expected < sorted.size() && Arrays.compareUnsigned(sorted.get(expected), key) < 0) {
        expected++;
      }
      byte[] inside = new byte[key.length + 5];
      System.arraycopy(key, 0, inside, 3, key.length);
      assertThat(run.lowerBound(memory.keys, inside, 3, key.length))
          .as(TestSeed.howToReplay(seed))
          .isEqualTo(expected);
    }
  }

  /**
   * Each nested group is one key smaller than its parent. The sort must not recurse once for each.
   */
  @Test
  void sortsGroupsWithinGroupsWithoutEnd() throws InterruptedException {
    int depth = 2000;
    memory = new LoggedMemory(MemtableStructure.SORTED_RUNS, depth, 40 << 20);
    sorted = new ArrayList<>();
    for (int i = depth; i > 0; i--) {
      byte[] key = new byte[8 * i + 1];
      Arrays.fill(key, (byte) 'a');
      key[8 * i] = 'b';
      sorted.add(key);
    }
    keys = new ArrayList<>(sorted);
    Collections.shuffle(keys, new Random(seed));
    keys.forEach(memory::add);
    SortedRun[] run = new SortedRun[1];
    Thread thread = new Thread(null, () -> run[0] = sort(0, depth), "small stack", 256 << 10);
    thread.start();
    thread.join();
    check(run[0], sorted);
  }
}
