// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.compact.CompactionJob.ValuePlaces;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.policy.Plan;
import io.github.rlsm.table.TestEntry;
import io.github.rlsm.valuelog.ValueLog;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Tests that a move list returns values in the order of their old places, each with its other
 * fields.
 */
class MoveListTest {

  private record Value(
      int segment, int offset, boolean inBatch, int length, int target, int to, String key) {}

  private static CursorEntry entry(String key, long seqno) {
    return TestEntry.put(seqno, new byte[0]).at(key.getBytes(US_ASCII));
  }

  @Test
  void walksValuesInTheOrderOfOldPlaces() {
    SplittableRandom random = new SplittableRandom(1);
    MoveList list = new MoveList();
    List<Value> values = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      int segment = random.nextInt(Plan.Clean.Move.SEGMENTS_MAX);
      int offset = i == 0 ? Integer.MAX_VALUE - 7 : random.nextInt(1 << 28) * 8;
      Value value = new Value(
          segment,
          offset,
          random.nextBoolean(),
          random.nextInt(1 << 20),
          i / 500 * 2, // every second segment stays empty
          random.nextInt(1 << 30),
          "key" + i);
      values.add(value);
      ValuePointer old = ValuePointer.of(1, offset, value.inBatch, value.length);
      list.add(entry(value.key, i), old, segment, value.target, value.to);
    }
    List<Value> sorted = new ArrayList<>(values);
    sorted.sort(Comparator.comparingInt(Value::segment).thenComparingInt(Value::offset));
    long[] places = list.sorted();
    assertThat(places).hasSameSizeAs(values);
    for (int i = 0; i < places.length; i++) {
      long place = places[i];
      Value found = new Value(
          MoveList.segment(place),
          MoveList.oldOffset(place),
          list.isInBatch(place),
          list.valueLength(place),
          list.target(place),
          list.offset(place),
          new String(list.keys(place), list.keyOffset(place), list.keyLength(place), US_ASCII));
      assertThat(found).isEqualTo(sorted.get(i));
      assertThat("key" + list.seqno(place)).isEqualTo(found.key);
    }
    assertThat(list.isFull()).isFalse();
  }

  private static ValuePlaces places() {
    return new ValuePlaces(
        new ValueLog(new SimulatedDirectory(), 1, () -> 0, () -> {}),
        () -> {
          throw new AssertionError("no value is moved");
        },
        task -> {},
        2);
  }

  private static void add(MoveList list, String key) {
    list.add(entry(key, 1), ValuePointer.of(1, 64, false, 1_000), 0, 0, 64);
  }

  @Test
  void jobsShareLists() {
    ValuePlaces places = places();
    MoveList first = places.takeList();
    MoveList second = places.takeList();
    assertThat(second).isNotSameAs(first);
    // As a cancelled job returns it.
    add(first, "key");
    places.giveBack(first);
    MoveList again = places.takeList();
    assertThat(again).isSameAs(first);
    assertThat(again.sorted()).isEmpty();
    assertThat(places.takeList()).isNotSameAs(first);
  }

  @Test
  void listOfLongKeysIsNotKept() {
    ValuePlaces places = places();
    MoveList list = places.takeList();
    String key = "k".repeat(60_000);
    for (int i = 0; i < 200; i++) {
      add(list, key);
    }
    places.giveBack(list);
    assertThat(places.takeList()).isNotSameAs(list);
  }
}
