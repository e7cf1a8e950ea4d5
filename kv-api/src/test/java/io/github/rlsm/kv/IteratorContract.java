// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import static io.github.rlsm.kv.TestBytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the cursor of a scan, and that later writes are not visible in it. */
abstract class IteratorContract extends ContractFixture {

  private static ScanOptions direction(boolean reverse) {
    return reverse ? ScanOptions.builder().reverse().build() : ScanOptions.all();
  }

  @Test
  void itStartsBeforeTheFirstEntry() {
    store.put(bytes("key"), bytes("value"));
    try (KvIterator iterator = store.scan()) {
      assertNoEntry(iterator);
      assertThat(iterator.next()).isTrue();
      assertThat(iterator.key()).isEqualTo(bytes("key"));
      assertThat(iterator.value()).isEqualTo(bytes("value"));
    }
  }

  @Test
  void itStaysAfterTheLastEntry() {
    store.put(bytes("key"), bytes("value"));
    try (KvIterator iterator = store.scan()) {
      assertThat(iterator.next()).isTrue();
      for (int i = 0; i < 3; i++) {
        assertThat(iterator.next()).isFalse();
        assertNoEntry(iterator);
      }
    }
  }

  @Test
  void itStaysAfterItsLimit() {
    store.put(bytes("a"), bytes("1"));
    store.put(bytes("b"), bytes("2"));
    try (KvIterator iterator = store.scan(ScanOptions.builder().limit(1).build())) {
      assertThat(iterator.next()).isTrue();
      assertThat(iterator.next()).isFalse();
      assertThat(iterator.next()).isFalse();
      assertNoEntry(iterator);
    }
  }

  @Test
  void anEmptyKeyspaceHasNoEntry() {
    for (boolean reverse : new boolean[] {false, true}) {
      try (KvIterator iterator = store.keyspace("empty").scan(direction(reverse))) {
        assertThat(iterator.next()).isFalse();
        assertNoEntry(iterator);
      }
    }
  }

  private static void assertNoEntry(KvIterator iterator) {
    ByteBuffer destination = ByteBuffer.allocate(10);
    assertThatThrownBy(iterator::key).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(iterator::value).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> iterator.key(destination)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> iterator.value(destination)).isInstanceOf(IllegalStateException.class);
    assertThat(destination.position()).isZero();
  }

  @Test
  void keysOnlyHasNoValues() {
    store.put(bytes("key"), bytes("value"));
    try (KvIterator iterator = store.scan(ScanOptions.builder().keysOnly().build())) {
      assertThat(iterator.next()).isTrue();
      assertThat(iterator.key()).isEqualTo(bytes("key"));
      assertThatThrownBy(iterator::value).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> iterator.value(ByteBuffer.allocate(10)))
          .isInstanceOf(IllegalStateException.class);
      assertThat(iterator.key()).isEqualTo(bytes("key"));
      assertThat(iterator.next()).isFalse();
    }
  }

  @Test
  void forEachRemainingPassesTheRemainingEntries() {
    List<String> seen = new ArrayList<>();
    for (String key : List.of("a", "b", "c")) {
      store.put(bytes(key), bytes("value of " + key));
    }
    try (KvIterator iterator = store.scan()) {
      iterator.next();
      iterator.forEachRemaining((key, value) -> seen.add(entry(key, value)));
      assertThat(seen).containsExactly(entry("b", "value of b"), entry("c", "value of c"));
      iterator.forEachRemaining((key, value) -> seen.add("more"));
      assertThat(seen).hasSize(2);
    }
  }

  @Test
  void forEachRemainingPropagatesTheActionsException() {
    store.put(bytes("a"), bytes("1"));
    store.put(bytes("b"), bytes("2"));
    try (KvIterator iterator = store.scan()) {
      assertThatThrownBy(() -> iterator.forEachRemaining((key, value) -> {
            throw new UnsupportedOperationException("mine");
          }))
          .hasMessage("mine");
      assertThat(rest(iterator, false)).containsExactly(entry("b", "2"));
    }
  }

  @Test
  void closingTwiceDoesNothing() {
    KvIterator iterator = store.scan();
    iterator.close();
    iterator.close();
    assertThatThrownBy(iterator::next).isInstanceOf(StoreClosedException.class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void iteratorIgnoresLaterWrites(boolean reverse) {
    Keyspace named = store.keyspace("named");
    for (Keyspace keyspace : List.of(store, named)) {
      for (int i = 0; i < 200; i++) {
        keyspace.put(bytes("key " + i), TestBytes.random(i, i * 5));
      }
      List<String> before = entries(keyspace, direction(reverse));
      try (KvIterator untouched = keyspace.scan(direction(reverse));
          KvIterator started = keyspace.scan(direction(reverse))) {
        List<String> seen = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
          started.next();
          seen.add(entry(started.key(), started.value()));
        }
        overwriteEverything(keyspace);
        seen.addAll(rest(started, false));
        assertThat(seen).isEqualTo(before);
        assertThat(rest(untouched, false)).isEqualTo(before);
      }
      assertThat(entries(keyspace, direction(reverse))).isNotEqualTo(before);
    }
  }

  private void overwriteEverything(Keyspace keyspace) {
    for (int i = 0; i < 200; i++) {
      switch (i % 4) {
        case 0 -> keyspace.delete(bytes("key " + i));
        case 1 -> keyspace.put(bytes("key " + i), bytes("changed"));
        case 2 -> keyspace.put(bytes("key " + i + " and a half"), bytes("new"));
        default ->
          store.write(new WriteBatch()
              .delete(keyspace, bytes("key " + i))
              .put(keyspace, bytes("a key " + i), TestBytes.random(i, 2_000)));
      }
      if (i == 100) {
        store.flush();
      }
    }
    store.flush();
  }

  @Test
  void theCurrentEntryOutlivesItsDeletion() {
    store.put(bytes("a"), TestBytes.random(1, 5_000));
    store.put(bytes("b"), bytes("2"));
    try (KvIterator iterator = store.scan()) {
      iterator.next();
      store.delete(bytes("a"));
      store.delete(bytes("b"));
      store.flush();
      assertThat(iterator.value()).isEqualTo(TestBytes.random(1, 5_000));
      assertThat(rest(iterator, false)).containsExactly(entry("b", "2"));
    }
    assertThat(entries(store)).isEmpty();
  }

  @Test
  void aDroppedKeyspaceIsScannedToItsEnd() {
    Keyspace named = store.keyspace("named");
    named.put(bytes("a"), bytes("1"));
    named.put(bytes("b"), bytes("2"));
    try (KvIterator iterator = named.scan()) {
      iterator.next();
      store.dropKeyspace("named");
      store.flush();
      assertThat(iterator.key()).isEqualTo(bytes("a"));
      assertThat(rest(iterator, false)).containsExactly(entry("b", "2"));
    }
  }

  @Test
  void manyIteratorsMayBeOpen() {
    List<KvIterator> open = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      store.put(bytes(i), bytes(i));
      open.add(store.scan(direction(i % 2 == 1)));
    }
    store.flush();
    for (int i = 0; i < 100; i++) {
      assertThat(rest(open.get(i), false)).hasSize(i + 1);
      open.get(i).close();
    }
  }
}
