// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import static io.github.rlsm.kv.TestBytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the content of a store after a close and a reopening. */
abstract class PersistenceContract extends ContractFixture {

  @BeforeEach
  void assumePersistent() {
    assumeTrue(factory().isPersistent(), "the store is not persistent");
  }

  @Test
  void anEmptyStoreStaysEmpty() {
    reopen();
    assertThat(entries(store)).isEmpty();
    assertThat(store.keyspaceNames()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void everythingSurvivesClose(Durability durability) {
    Keyspace named = store.keyspace("named");
    for (Keyspace keyspace : List.of(store, named)) {
      for (int i = 0; i < 300; i++) {
        keyspace.put(bytes("key " + i), TestBytes.random(i, i * 7), durability);
      }
      for (int i = 0; i < 300; i += 3) {
        keyspace.delete(bytes("key " + i), durability);
      }
      keyspace.put(bytes("empty"), new byte[0], durability);
      keyspace.put(bytes("large"), TestBytes.random(1, 2 << 20), durability);
    }
    store.write(
        new WriteBatch().put(bytes("b"), bytes("1")).put(named, bytes("b"), bytes("2")),
        durability);
    List<String> inDefault = entries(store);
    List<String> inNamed = entries(named);
    for (int round = 0; round < 3; round++) {
      reopen();
      assertThat(entries(store)).isEqualTo(inDefault);
      assertThat(entries(store.keyspace("named"))).isEqualTo(inNamed);
      assertThat(store.keyspaceNames()).containsExactly("named");
      assertThat(store.get(bytes("empty"))).isNotNull().isEmpty();
      assertThat(store.get(bytes("key 3"))).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void entriesAccumulateOverManyReopenings(boolean flush) {
    for (int round = 0; round < 10; round++) {
      assertThat(entries(store)).hasSize(round == 0 ? 0 : round + 1);
      store.put(bytes("key " + round), bytes("value"));
      store.put(bytes("last"), bytes("round " + round));
      if (flush) {
        store.flush();
      }
      reopen();
      assertThat(store.get(bytes("last"))).isEqualTo(bytes("round " + round));
    }
  }

  @Test
  void keyspacesSurviveReopening() {
    for (int i = 0; i < 10; i++) {
      store.keyspace("number " + i).put(bytes("key"), bytes("value " + i));
    }
    store.keyspace("empty");
    store.dropKeyspace("number 3");
    store.dropKeyspace("number 4");
    store.keyspace("number 4").put(bytes("new"), bytes("value"));
    reopen();
    assertThat(store.keyspaceNames()).hasSize(10).contains("empty").doesNotContain("number 3");
    assertThat(entries(store.keyspace("number 2"))).containsExactly(entry("key", "value 2"));
    assertThat(entries(store.keyspace("number 3"))).isEmpty();
    assertThat(entries(store.keyspace("number 4"))).containsExactly(entry("new", "value"));
    assertThat(entries(store.keyspace("empty"))).isEmpty();
  }

  @Test
  void aKeyspaceMadeAfterReopeningIsANewOne() {
    store.keyspace("a").put(bytes("key"), bytes("in a"));
    store.keyspace("b").put(bytes("key"), bytes("in b"));
    store.dropKeyspace("b");
    reopen();
    assertThat(entries(store.keyspace("c"))).isEmpty();
    store.keyspace("c").put(bytes("key"), bytes("in c"));
    reopen();
    assertThat(entries(store.keyspace("a"))).containsExactly(entry("key", "in a"));
    assertThat(entries(store.keyspace("b"))).isEmpty();
    assertThat(entries(store.keyspace("c"))).containsExactly(entry("key", "in c"));
  }

  @Test
  void storeReopensDespiteUnclosedReaders() {
    store.put(bytes("key"), bytes("value"));
    KvStore before = store;
    Keyspace named = store.keyspace("named");
    Snapshot snapshot = store.snapshot();
    KvIterator iterator = snapshot.scan();
    reopen();
    assertThat(entries(store)).containsExactly(entry("key", "value"));
    assertThatThrownBy(iterator::next).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(() -> snapshot.get(bytes("key"))).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(() -> named.get(bytes("key"))).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(() -> before.get(bytes("key"))).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(() -> store.write(new WriteBatch().delete(named, bytes("key"))))
        .isInstanceOf(IllegalArgumentException.class);
    iterator.close();
    snapshot.close();
    before.close();
    assertThat(entries(store)).containsExactly(entry("key", "value"));
  }

  @Test
  void aDirectoryInUseIsRefused() {
    store.put(bytes("key"), bytes("value"));
    assertThatThrownBy(() -> factory().open(directory())).isInstanceOf(StoreLockedException.class);
    store.put(bytes("another"), bytes("value"));
    reopen();
    assertThat(entries(store)).hasSize(2);
  }

  @Test
  void writesAcknowledgedWhileClosingSurvive() throws Exception {
    int threads = 8;
    int[] acknowledged = new int[threads];
    CountDownLatch warm = new CountDownLatch(1_000);
    Workers.Body[] bodies = new Workers.Body[threads + 1];
    for (int i = 0; i < threads; i++) {
      bodies[i] = thread -> assertThatThrownBy(() -> {
            while (true) {
              byte[] key = bytes(thread + ":" + acknowledged[thread]);
              store.put(key, bytes("value"), durability(thread));
              acknowledged[thread]++;
              warm.countDown();
            }
          })
          .isInstanceOf(StoreClosedException.class);
    }
    KvStore current = store;
    bodies[threads] = thread -> {
      warm.await();
      current.close();
    };
    Workers.run(bodies);
    openStore();
    for (int thread = 0; thread < threads; thread++) {
      for (int i = 0; i < acknowledged[thread]; i++) {
        assertThat(store.contains(bytes(thread + ":" + i))).isTrue();
      }
    }
  }
}
