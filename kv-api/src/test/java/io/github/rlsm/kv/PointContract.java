// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import static io.github.rlsm.kv.TestBytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests reads and writes of single keys. */
abstract class PointContract extends ContractFixture {

  private static final byte[] KEY = bytes("key");

  @Test
  void aStoreStartsEmpty() {
    assertThat(store.get(KEY)).isNull();
    assertThat(store.contains(KEY)).isFalse();
    assertThat(entries(store)).isEmpty();
    assertThat(store.keyspaceNames()).isEmpty();
    assertThat(store.name()).isEmpty();
    assertThat(store.store()).isSameAs(store);
  }

  @Test
  void getReturnsThePutValue() {
    store.put(KEY, bytes("value"));
    assertThat(store.get(KEY)).isEqualTo(bytes("value"));
    assertThat(store.contains(KEY)).isTrue();
    assertThat(store.get(bytes("kez"))).isNull();
  }

  @Test
  void theLastPutWins() {
    for (int i = 0; i <= 100; i++) {
      store.put(KEY, bytes("value " + i));
    }
    assertThat(store.get(KEY)).isEqualTo(bytes("value 100"));
    store.flush();
    store.put(KEY, bytes("after the flush"));
    assertThat(store.get(KEY)).isEqualTo(bytes("after the flush"));
    assertThat(entries(store)).containsExactly(entry("key", "after the flush"));
  }

  @Test
  void aDeletedKeyIsAbsent() {
    store.put(KEY, bytes("value"));
    store.delete(KEY);
    assertThat(store.get(KEY)).isNull();
    assertThat(store.contains(KEY)).isFalse();
    assertThat(entries(store)).isEmpty();
  }

  @Test
  void deleteHidesAFlushedValue() {
    store.put(KEY, bytes("value"));
    store.flush();
    store.delete(KEY);
    assertThat(store.get(KEY)).isNull();
    store.flush();
    assertThat(store.get(KEY)).isNull();
    store.put(KEY, bytes("again"));
    assertThat(store.get(KEY)).isEqualTo(bytes("again"));
  }

  @Test
  void deletingAnAbsentKeyDoesNothing() {
    store.put(bytes("other"), bytes("value"));
    store.delete(KEY);
    store.delete(KEY);
    assertThat(entries(store)).containsExactly(entry("other", "value"));
  }

  @Test
  void anEmptyValueIsNotAbsent() {
    store.put(KEY, new byte[0]);
    for (int i = 0; i < 2; i++) {
      assertThat(store.get(KEY)).isNotNull().isEmpty();
      assertThat(store.contains(KEY)).isTrue();
      assertThat(store.multiGet(List.of(KEY)).get(0)).isNotNull().isEmpty();
      assertThat(entries(store)).containsExactly(entry("key", ""));
      store.flush();
    }
  }

  @Test
  void keysThatArePrefixesOfEachOtherAreDifferent() {
    List<byte[]> keys = List.of(
        bytes(0),
        bytes(0, 0),
        bytes(0, 0, 0),
        bytes("a"),
        bytes('a', 0),
        bytes("aa"),
        bytes("aaa"),
        bytes(0xFF),
        bytes(0xFF, 0),
        bytes(0xFF, 0xFF));
    for (byte[] key : keys) {
      store.put(key, bytes("value of " + TestBytes.show(key)));
    }
    store.delete(bytes("aa"));
    for (byte[] key : keys) {
      if (TestBytes.show(key).equals(TestBytes.show(bytes("aa")))) {
        assertThat(store.get(key)).isNull();
      } else {
        assertThat(store.get(key)).isEqualTo(bytes("value of " + TestBytes.show(key)));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        1,
        2,
        3,
        4,
        7,
        8,
        9,
        15,
        16,
        17,
        63,
        64,
        127,
        128,
        129,
        255,
        256,
        1_000,
        4_095,
        4_096,
        4_097,
        16_383,
        16_384,
        32_767,
        32_768,
        KvStore.MAX_KEY_BYTES - 1,
        KvStore.MAX_KEY_BYTES
      })
  void keysOfAllLengthsWork(int length) {
    byte[] key = TestBytes.random(length, length);
    byte[] neighbour = key.clone();
    neighbour[length - 1] ^= 1;
    store.put(key, bytes("value"));
    for (int i = 0; i < 2; i++) {
      assertThat(store.get(key)).isEqualTo(bytes("value"));
      assertThat(store.get(neighbour)).isNull();
      assertThat(entries(store)).containsExactly(entry(key, bytes("value")));
      store.flush();
    }
    store.delete(key);
    assertThat(store.get(key)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        0,
        1,
        2,
        127,
        128,
        255,
        256,
        257,
        511,
        512,
        513,
        1_023,
        1_024,
        1_025,
        4_095,
        4_096,
        4_097,
        65_535,
        65_536,
        65_537,
        1 << 20,
        (5 << 20) + 3
      })
  void valuesOfAllLengthsWork(int length) {
    byte[] value = TestBytes.random(length, length);
    byte[] next = TestBytes.random(length + 1L, length);
    store.put(KEY, value);
    store.put(bytes("kez"), next);
    for (int i = 0; i < 2; i++) {
      assertThat(store.get(KEY)).isEqualTo(value);
      assertThat(store.get(bytes("kez"))).isEqualTo(next);
      assertThat(entries(store)).containsExactly(entry(KEY, value), entry(bytes("kez"), next));
      store.flush();
    }
    store.put(KEY, next);
    assertThat(store.get(KEY)).isEqualTo(next);
  }

  @ParameterizedTest
  @EnumSource
  void everyDurabilityWritesTheSame(Durability durability) {
    store.put(KEY, bytes("value"), durability);
    store.put(bytes("gone"), bytes("value"), durability);
    store.delete(bytes("gone"), durability);
    store.write(new WriteBatch().put(bytes("batch"), bytes("value")), durability);
    assertThat(store.putIfAbsent(bytes("new"), bytes("value"), durability)).isNull();
    assertThat(store.compareAndSet(KEY, bytes("value"), bytes("changed"), durability))
        .isTrue();
    assertThat(entries(store))
        .containsExactly(entry("batch", "value"), entry("key", "changed"), entry("new", "value"));
  }

  @Test
  void levelsOfDurabilityMayTakeTurns() {
    for (int i = 0; i < 60; i++) {
      store.put(bytes("key " + i), bytes("value " + i), durability(i));
    }
    for (int i = 0; i < 60; i++) {
      assertThat(store.get(bytes("key " + i))).isEqualTo(bytes("value " + i));
    }
  }

  @Test
  void multiGetAnswersInTheOrderOfTheKeys() {
    store.put(bytes("a"), bytes("1"));
    store.put(bytes("b"), bytes("2"));
    store.flush();
    store.put(bytes("c"), bytes("3"));
    store.put(bytes("b"), bytes("4"));
    store.delete(bytes("a"));
    List<byte[]> values =
        store.multiGet(List.of(bytes("c"), bytes("x"), bytes("b"), bytes("a"), bytes("c")));
    assertThat(values.stream().map(TestBytes::show))
        .containsExactly(
            TestBytes.show(bytes("3")),
            "null",
            TestBytes.show(bytes("4")),
            "null",
            TestBytes.show(bytes("3")));
  }

  @Test
  void multiGetOfNothingIsNothing() {
    assertThat(store.multiGet(List.of())).isEmpty();
    assertThat(store.multiGetBuffers(List.of())).isEmpty();
  }

  @Test
  void multiGetTakesManyKeys() {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      keys.add(bytes("key " + i));
      if (i % 2 == 0) {
        store.put(keys.get(i), TestBytes.random(i, i));
      }
    }
    List<byte[]> values = store.multiGet(keys);
    assertThat(values).hasSameSizeAs(keys);
    for (int i = 0; i < keys.size(); i++) {
      assertThat(values.get(i)).isEqualTo(i % 2 == 0 ? TestBytes.random(i, i) : null);
    }
  }

  @Test
  void arraysThatComeOutBelongToTheCaller() {
    store.put(KEY, bytes("value"));
    for (int i = 0; i < 2; i++) {
      store.get(KEY)[0] = 'x';
      store.multiGet(List.of(KEY, KEY)).get(0)[0] = 'x';
      assertThat(store.multiGet(List.of(KEY, KEY)).get(1)).isEqualTo(bytes("value"));
      store.putIfAbsent(KEY, bytes("other"))[0] = 'x';
      try (KvIterator iterator = store.scan()) {
        iterator.next();
        iterator.key()[0] = 'x';
        iterator.value()[0] = 'x';
        assertThat(entry(iterator.key(), iterator.value())).isEqualTo(entry("key", "value"));
      }
      assertThat(entries(store)).containsExactly(entry("key", "value"));
      store.flush();
    }
    List<byte[]> twice = store.multiGet(List.of(KEY, KEY));
    assertThat(twice.get(0)).isNotSameAs(twice.get(1));
  }

  @Test
  void arraysThatGoInAreNotKept() {
    byte[] key = bytes("key");
    byte[] value = bytes("value");
    byte[] expected = bytes("value");
    store.put(key, value);
    value[0] = 'x';
    assertThat(store.compareAndSet(key, expected, expected)).isTrue();
    expected[0] = 'x';
    byte[] absent = bytes("new");
    byte[] first = bytes("first");
    store.putIfAbsent(absent, first);
    first[0] = 'x';
    absent[0] = 'x';
    key[0] = 'x';
    assertThat(entries(store)).containsExactly(entry("key", "value"), entry("new", "first"));
  }
}
