// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.bench.store.StoreSettings;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class KeysTest {

  private static final int KEYS = 10_000;

  private static byte[] key(long id) {
    ByteBuffer key = ByteBuffer.allocate(StoreSettings.KEY_BYTES);
    Keys.fill(key, id);
    return key.array();
  }

  @Test
  void keyConvertsBackToNumber() {
    ByteBuffer key = ByteBuffer.allocateDirect(StoreSettings.KEY_BYTES);
    for (long id : new long[] {0, 1, 2, 9_999_999, Integer.MAX_VALUE, Long.MAX_VALUE}) {
      Keys.fill(key, id);
      assertThat(key.remaining()).isEqualTo(StoreSettings.KEY_BYTES);
      assertThat(Keys.id(key)).isEqualTo(id);
    }
  }

  @Test
  void rejectsKeyWithChangedByte() {
    byte[] key = key(12_345);
    for (int i = 0; i < key.length; i++) {
      byte[] changed = key.clone();
      changed[i] ^= 1;
      assertThat(Keys.id(ByteBuffer.wrap(changed))).isNotEqualTo(12_345);
    }
    assertThat(Keys.id(ByteBuffer.wrap(key, 0, 15))).isEqualTo(Keys.NO_ID);
  }

  @Test
  void orderMatchesKeyOrder() {
    List<Long> byKey = LongStream.range(0, KEYS)
        .boxed()
        .sorted((a, b) -> Arrays.compareUnsigned(key(a), key(b)))
        .toList();
    List<Long> byOrder = LongStream.range(0, KEYS)
        .boxed()
        .sorted(Comparator.comparingLong(Keys::order))
        .toList();
    assertThat(byKey).isEqualTo(byOrder);
  }

  @Test
  void adjacentNumbersGiveScatteredKeys() {
    long ascending = LongStream.range(1, KEYS)
        .filter(id -> Keys.order(id) > Keys.order(id - 1))
        .count();
    assertThat(ascending).isBetween(KEYS * 45L / 100, KEYS * 55L / 100);
  }

  @Test
  void rankIsShareOfKeysBelow() {
    for (long id = 0; id < 20; id++) {
      long fixed = id;
      long below = LongStream.range(0, KEYS)
          .filter(other -> Keys.order(other) < Keys.order(fixed))
          .count();
      assertThat(Keys.rank(id))
          .isBetween(below / (double) KEYS - 0.03, below / (double) KEYS + 0.03);
    }
  }
}
