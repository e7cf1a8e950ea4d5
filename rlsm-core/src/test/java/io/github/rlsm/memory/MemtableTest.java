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
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares every kind of Memtable with a TreeMap. */
class MemtableTest {

  private static final int CAPACITY = 1 << 12;

  private final long seed = TestSeed.get();
  private final SplittableRandom random = new SplittableRandom(seed);
  private final LoggedMemory memory =
      new LoggedMemory(MemtableStructure.SORTED_RUNS, CAPACITY, 2 << 20);
  private final List<byte[]> keys = new ArrayList<>(); // by entry number
  private final TreeMap<byte[], Integer> model = new TreeMap<>(Arrays::compareUnsigned);

  private Memtable empty(MemtableStructure kind) {
    return switch (kind) {
      case SORTED_RUNS -> new SortedRunsMemtable(memory.keys);
      case SKIP_LIST -> new SkipListMemtable(memory.keys);
      case MULTI_INSERT -> new MultiInsertMemtable(memory.keys, seed);
    };
  }

  private void fill(Memtable table, RandomKeys shape, int count) {
    List<byte[]> drawn = new ArrayList<>(shape.draw(random, count));
    Collections.shuffle(drawn, new Random(random.nextLong()));
    for (int from = 0; from < drawn.size(); ) {
      int to = Math.min(drawn.size(), from + 1 + random.nextInt(60));
      int[] batch = new int[to - from];
      for (int i = from; i < to; i++) {
        batch[i - from] = memory.add(drawn.get(i));
        keys.add(drawn.get(i));
        model.put(drawn.get(i), batch[i - from]);
      }
      table.insert(new KeySort(memory.keys).sort(batch, batch.length));
      from = to;
    }
  }

  private List<Integer> all(Memtable.Sequence sequence) {
    List<Integer> entries = new ArrayList<>();
    for (boolean more = sequence.seekFirst(); more; more = sequence.next()) {
      byte[] key = keys.get(sequence.entry());
      assertThat(sequence.keyPrefix()).isEqualTo(KeyOrder.prefix(key, 0, key.length));
      entries.add(sequence.entry());
    }
    return entries;
  }

  @ParameterizedTest
  @EnumSource
  void holdsEverythingInOrder(MemtableStructure kind) {
    for (RandomKeys shape : RandomKeys.values()) {
      keys.clear();
      model.clear();
      MemtableTest fresh = new MemtableTest();
      Memtable table = fresh.empty(kind);
      assertThat(fresh.all(table.inOrder())).isEmpty();
      fresh.fill(table, shape, 400);
      assertThat(fresh.all(table.inOrder()))
          .as(TestSeed.howToReplay(fresh.seed))
          .isEqualTo(List.copyOf(fresh.model.values()));
      fresh.checkSequences(table, shape);
      assertThat(table.heapBytes()).isPositive();
    }
  }

  private void checkSequences(Memtable table, RandomKeys shape) {
    for (boolean descending : new boolean[] {false, true}) {
      List<Integer> union = new ArrayList<>();
      for (Memtable.Sequence sequence : table.sequences(descending)) {
        List<Integer> own = all(sequence);
        union.addAll(own);
        for (byte[] sought : shape.draw(random, 100)) {
          checkSeek(sequence, own, sought, descending);
        }
        checkSeek(sequence, own, new byte[0], descending);
        for (byte[] sought : keys) {
          checkSeek(sequence, own, sought, descending);
        }
      }
      assertThat(union).containsExactlyInAnyOrderElementsOf(model.values());
    }
  }

  private void checkSeek(
      Memtable.Sequence sequence, List<Integer> own, byte[] sought, boolean descending) {
    int at = 0;
    while (at < own.size() && isBefore(keys.get(own.get(at)), sought, descending)) {
      at++;
    }
    boolean found = sequence.seek(sought, 0, sought.length);
    String name = Arrays.toString(sought) + ", " + TestSeed.howToReplay(seed);
    assertThat(found).as(name).isEqualTo(at < own.size());
    for (int i = at; found && i < Math.min(own.size(), at + 3); i++) {
      assertThat(sequence.entry()).as(name).isEqualTo(own.get(i));
      assertThat(sequence.next()).isEqualTo(i + 1 < own.size());
    }
  }

  private static boolean isBefore(byte[] a, byte[] b, boolean descending) {
    int order = Arrays.compareUnsigned(a, b);
    return descending ? order > 0 : order < 0;
  }

  /**
   * Concurrent writers of a new key leave several entries of it. A drain cannot know which entry is
   * live, so all must stay findable, in any order of arrival.
   */
  @ParameterizedTest
  @EnumSource
  void keepsAllEntriesOfAKey(MemtableStructure kind) {
    Memtable table = empty(kind);
    byte[][] drawn = {{1}, {1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 0}, {7}};
    for (int entry = 0; entry < 16; entry++) {
      byte[] key = drawn[entry % drawn.length];
      assertThat(memory.membuffer.claim(1)).isEqualTo(entry);
      memory.arrays.references()[entry] = memory.store(key, new byte[0]).reference();
      keys.add(key);
    }
    for (int[] batch : new int[][] {{4, 5, 6, 8}, {0, 1, 2, 3}, {7, 9, 10, 11, 13, 14, 15}, {12}}) {
      table.insert(new KeySort(memory.keys).sort(batch, batch.length));
    }
    assertThat(all(table.inOrder())).hasSize(16);
    for (boolean descending : new boolean[] {false, true}) {
      for (byte[] sought : drawn) {
        List<Integer> found = new ArrayList<>();
        for (Memtable.Sequence sequence : table.sequences(descending)) {
          boolean more = sequence.seek(sought, 0, sought.length);
          for (;
              more && Arrays.equals(keys.get(sequence.entry()), sought);
              more = sequence.next()) {
            found.add(sequence.entry());
          }
        }
        assertThat(found).as(descending + " " + Arrays.toString(sought)).hasSize(4);
      }
    }
  }
}
