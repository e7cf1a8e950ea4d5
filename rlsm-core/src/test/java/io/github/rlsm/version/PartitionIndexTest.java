// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import static io.github.rlsm.version.Fixtures.key;
import static io.github.rlsm.version.Fixtures.range;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.kv.TestSeed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class PartitionIndexTest {

  private static final int ROUNDS = 300;
  private static final int KEYS = 200;

  @Test
  void findsNothingWithoutPartitions() {
    assertThat(PartitionIndex.EMPTY.find(key("a"), 0, 1)).isEqualTo(-1);
    assertThat(PartitionIndex.EMPTY.floor(key("a"), 0, 1)).isEqualTo(-1);
  }

  @Test
  void findsWhatOnePartitionOverAllKeysHolds() {
    PartitionIndex index = index(KeyRange.ALL);
    assertThat(find(index, "")).isZero();
    assertThat(find(index, "anything")).isZero();
  }

  @Test
  void respectsEndsAndGaps() {
    PartitionIndex index = index(range(null, "b"), range("b", "c"), range("d", "e"));
    assertThat(find(index, "a")).isZero();
    assertThat(find(index, "b")).isEqualTo(1);
    assertThat(find(index, "bz")).isEqualTo(1);
    assertThat(find(index, "c")).isEqualTo(-1);
    assertThat(find(index, "d")).isEqualTo(2);
    assertThat(find(index, "e")).isEqualTo(-1);
    assertThat(index.floor(key("c"), 0, 1)).isEqualTo(1);
  }

  @Test
  void looksPastThePrefixThatAllSmallestKeysShare() {
    PartitionIndex index = index(
        range("user00000001", "user00000002"),
        range("user00000002", "user00000003"),
        range("user00000003", null));
    assertThat(find(index, "user0000000")).isEqualTo(-1);
    assertThat(find(index, "user00000001")).isZero();
    assertThat(find(index, "user000000029")).isEqualTo(1);
    assertThat(find(index, "user00000003")).isEqualTo(2);
    assertThat(find(index, "uses")).isEqualTo(2);
    assertThat(find(index, "us")).isEqualTo(-1);
    assertThat(find(index, "a")).isEqualTo(-1);
  }

  @Test
  void takesTheKeyFromItsSlice() {
    PartitionIndex index = index(range(null, "b"), range("b", null));
    assertThat(index.find(key("xxazz"), 2, 1)).isZero();
    assertThat(index.find(key("xxbzz"), 2, 1)).isEqualTo(1);
  }

  @Test
  void refusesOverlapAndDisorder() {
    assertThatThrownBy(() -> index(range("a", "c"), range("b", "d")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("overlap");
    assertThatThrownBy(() -> index(range("c", "d"), range("a", "b")))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> index(KeyRange.ALL, range("a", "b")))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> index(range("a", null), range("b", "c")))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void agreesWithALinearSearch() {
    long seed = TestSeed.get();
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      List<KeyRange> ranges = randomRanges(random);
      PartitionIndex index = index(ranges.toArray(KeyRange[]::new));
      for (int i = 0; i < KEYS; i++) {
        byte[] key = randomKey(random);
        assertThat(index.find(key, 0, key.length))
            .as("key %s in %s, %s", Arrays.toString(key), ranges, TestSeed.howToReplay(seed))
            .isEqualTo(linear(ranges, key));
      }
      for (int i = 0; i < ranges.size(); i++) {
        assertThat(index.indexOf(ranges.get(i))).isEqualTo(i);
      }
    }
  }

  private static int linear(List<KeyRange> ranges, byte[] key) {
    for (int i = 0; i < ranges.size(); i++) {
      if (ranges.get(i).contains(key)) {
        return i;
      }
    }
    return -1;
  }

  private static List<KeyRange> randomRanges(Random random) {
    TreeSet<byte[]> bounds = new TreeSet<>(Arrays::compareUnsigned);
    for (int i = random.nextInt(20); i >= 0; i--) {
      bounds.add(randomKey(random));
    }
    List<KeyRange> ranges = new ArrayList<>();
    byte[] from = null;
    for (byte[] to : bounds) {
      KeyRange range = KeyRange.of(from, to);
      if (!range.isEmpty() && random.nextInt(5) != 0) {
        ranges.add(range);
      }
      from = to;
    }
    if (random.nextBoolean()) {
      ranges.add(KeyRange.of(from, null));
    }
    return ranges;
  }

  /** Returns keys that often share long prefixes and contain bytes above 127. */
  private static byte[] randomKey(Random random) {
    byte[] key = new byte[random.nextInt(14)];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) (random.nextInt(4) == 0 ? 0xFF - random.nextInt(2) : 0);
    }
    return key;
  }

  private static int find(PartitionIndex index, String key) {
    return index.find(key(key), 0, key.length());
  }

  private static PartitionIndex index(KeyRange... ranges) {
    return new PartitionIndex(
        Arrays.stream(ranges).map(range -> new Partition(range, List.of())).toList());
  }
}
