// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import static io.github.rlsm.kv.TestBytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests {@code compareAndSet} and {@code putIfAbsent} with one thread. {@link ConcurrencyContract}
 * tests them with several.
 */
abstract class ConditionalContract extends ContractFixture {

  private static final byte[] KEY = bytes("key");

  @Test
  void anExpectedValueIsReplaced() {
    store.put(KEY, bytes("old"));
    assertThat(store.compareAndSet(KEY, bytes("old"), bytes("new"))).isTrue();
    assertThat(store.get(KEY)).isEqualTo(bytes("new"));
  }

  @Test
  void unexpectedValueIsNotReplaced() {
    store.put(KEY, bytes("old"));
    assertThat(store.compareAndSet(KEY, bytes("ol"), bytes("new"))).isFalse();
    assertThat(store.compareAndSet(KEY, bytes("older"), bytes("new"))).isFalse();
    assertThat(store.compareAndSet(KEY, new byte[0], bytes("new"))).isFalse();
    assertThat(store.compareAndSet(KEY, null, bytes("new"))).isFalse();
    assertThat(store.compareAndSet(KEY, bytes("odd"), null)).isFalse();
    assertThat(store.get(KEY)).isEqualTo(bytes("old"));
  }

  @Test
  void nullExpectedMatchesOnlyAnAbsentKey() {
    assertThat(store.compareAndSet(KEY, bytes("old"), bytes("new"))).isFalse();
    assertThat(store.contains(KEY)).isFalse();
    assertThat(store.compareAndSet(KEY, null, bytes("new"))).isTrue();
    assertThat(store.get(KEY)).isEqualTo(bytes("new"));
    store.delete(KEY);
    store.flush();
    assertThat(store.compareAndSet(KEY, null, bytes("again"))).isTrue();
    assertThat(store.get(KEY)).isEqualTo(bytes("again"));
  }

  @Test
  void nullReplacementRemovesTheKey() {
    store.put(KEY, bytes("old"));
    assertThat(store.compareAndSet(KEY, bytes("old"), null)).isTrue();
    assertThat(store.contains(KEY)).isFalse();
    assertThat(store.compareAndSet(KEY, null, null)).isTrue();
    assertThat(store.contains(KEY)).isFalse();
  }

  @Test
  void emptyExpectedValueMatchesOnlyAnEmptyValue() {
    assertThat(store.compareAndSet(KEY, new byte[0], bytes("new"))).isFalse();
    store.put(KEY, new byte[0]);
    assertThat(store.compareAndSet(KEY, null, bytes("new"))).isFalse();
    assertThat(store.compareAndSet(KEY, new byte[0], bytes("new"))).isTrue();
    assertThat(store.compareAndSet(KEY, bytes("new"), new byte[0])).isTrue();
    assertThat(store.get(KEY)).isNotNull().isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 1_000, 100_000})
  void valuesOfAllSizesAreCompared(int length) {
    byte[] first = TestBytes.random(1, length);
    byte[] second = first.clone();
    second[length - 1] ^= 1;
    store.put(KEY, first);
    store.flush();
    assertThat(store.compareAndSet(KEY, second, bytes("new"))).isFalse();
    assertThat(store.compareAndSet(KEY, first, second)).isTrue();
    assertThat(store.compareAndSet(KEY, first, bytes("new"))).isFalse();
    assertThat(store.get(KEY)).isEqualTo(second);
  }

  @Test
  void putIfAbsentWritesOnlyTheFirstValue() {
    assertThat(store.putIfAbsent(KEY, bytes("first"))).isNull();
    assertThat(store.putIfAbsent(KEY, bytes("second"))).isEqualTo(bytes("first"));
    store.flush();
    assertThat(store.putIfAbsent(KEY, bytes("third"))).isEqualTo(bytes("first"));
    assertThat(store.get(KEY)).isEqualTo(bytes("first"));
    store.delete(KEY);
    assertThat(store.putIfAbsent(KEY, bytes("fourth"))).isNull();
    assertThat(store.get(KEY)).isEqualTo(bytes("fourth"));
  }

  @Test
  void putIfAbsentKeepsAnEmptyValue() {
    store.put(KEY, new byte[0]);
    assertThat(store.putIfAbsent(KEY, bytes("value"))).isNotNull().isEmpty();
    assertThat(store.get(KEY)).isNotNull().isEmpty();
  }

  @Test
  void keyspacesDoNotSeeEachOthersValues() {
    Keyspace named = store.keyspace("named");
    store.put(KEY, bytes("default"));
    assertThat(named.compareAndSet(KEY, bytes("default"), bytes("new"))).isFalse();
    assertThat(named.putIfAbsent(KEY, bytes("named"))).isNull();
    assertThat(named.compareAndSet(KEY, bytes("named"), bytes("changed"))).isTrue();
    assertThat(store.get(KEY)).isEqualTo(bytes("default"));
    assertThat(named.get(KEY)).isEqualTo(bytes("changed"));
  }
}
