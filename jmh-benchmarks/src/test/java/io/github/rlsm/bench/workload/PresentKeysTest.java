// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PresentKeysTest {

  private static final long LOADED = 1_001;
  private static final long DELETES = 300;

  private static PresentKeys keys(KeyOrder order) {
    return PresentKeys.none(order).loaded(1_000).loaded(1).withDeletes(DELETES);
  }

  private static List<Long> present(PresentKeys keys) {
    return LongStream.range(0, LOADED)
        .filter(keys::contains)
        .boxed()
        .sorted(Comparator.comparingLong(keys.order()::order))
        .toList();
  }

  @ParameterizedTest
  @EnumSource
  void deletesRemoveEverySecondKey(KeyOrder order) {
    PresentKeys keys = keys(order);
    assertThat(present(keys)).hasSize((int) (LOADED - DELETES));
    for (long n = 0; n < DELETES; n++) {
      assertThat(keys.contains(PresentKeys.deleted(n))).isFalse();
      assertThat(keys.presentAt(PresentKeys.deleted(n))).matches(keys::contains);
    }
    assertThat(keys.contains(-1)).isFalse();
    assertThat(keys.contains(LOADED)).isFalse();
    assertThat(keys.presentAt(LOADED - 1)).isEqualTo(LOADED - 1);
  }

  @Test
  void allDeletesLeavePresentNeighbours() {
    for (long loaded : new long[] {2, 3, 1_000, 1_001}) {
      PresentKeys keys =
          PresentKeys.none(KeyOrder.RANDOM).loaded(loaded).withDeletes(PresentKeys.deletes(loaded));
      assertThat(LongStream.range(0, loaded).map(keys::presentAt)).allMatch(keys::contains);
    }
  }

  @ParameterizedTest
  @EnumSource
  void scanNeverFindsLessThanCertain(KeyOrder order) {
    PresentKeys keys = keys(order);
    List<Long> present = present(keys);
    for (long id = 0; id < LOADED; id++) {
      long from = order.order(id);
      long found = present.stream().filter(other -> order.order(other) >= from).count();
      assertThat(keys.certainFrom(id, 50)).isBetween(0L, Math.min(50, found));
      if (order == KeyOrder.INCREASING) {
        assertThat(keys.certainFrom(id, 5_000)).isEqualTo(found);
      }
    }
    assertThat(keys.certainFrom(present.get(0), 50)).isEqualTo(50);
  }

  @ParameterizedTest
  @EnumSource
  void keysConvertBackAndSortInTheirOrder(KeyOrder order) {
    ByteBuffer key = ByteBuffer.allocate(16);
    ByteBuffer previous = ByteBuffer.allocate(16);
    for (long id = 1; id < LOADED; id++) {
      order.fill(previous, id - 1);
      order.fill(key, id);
      assertThat(order.id(key)).isEqualTo(id);
      assertThat(compare(previous, key) < 0).isEqualTo(order.order(id - 1) < order.order(id));
      key.put(15, (byte) ~key.get(15));
      assertThat(order.id(key)).isEqualTo(Keys.NO_ID);
    }
    assertThat(order.id(ByteBuffer.allocate(15))).isEqualTo(Keys.NO_ID);
  }

  private static int compare(ByteBuffer a, ByteBuffer b) {
    int at = a.mismatch(b);
    return at < 0 ? 0 : Byte.compareUnsigned(a.get(at), b.get(at));
  }
}
