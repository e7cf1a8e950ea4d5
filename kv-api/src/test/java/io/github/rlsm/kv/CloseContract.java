// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import static io.github.rlsm.kv.TestBytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * Tests that use after close throws {@link StoreClosedException}, in any closing order and from any
 * thread.
 */
abstract class CloseContract extends ContractFixture {

  private static final byte[] KEY = bytes("key");
  private static final int THREADS = 8;

  @Test
  void namesAndIsClosedWorkAfterClose() {
    assertThat(store.isClosed()).isFalse();
    Keyspace named = store.keyspace("named");
    store.close();
    assertThat(store.isClosed()).isTrue();
    assertThat(store.name()).isEmpty();
    assertThat(store.store()).isSameAs(store);
    assertThat(store.defaultDurability()).isNotNull();
    assertThat(named.name()).isEqualTo("named");
    assertThat(named.store()).isSameAs(store);
  }

  @Test
  void closingTwiceDoesNothing() {
    store.put(KEY, bytes("value"));
    store.close();
    store.close();
    assertClosed("get", () -> store.get(KEY));
  }

  @Test
  void everyMethodFailsAfterTheStoreIsClosed() {
    store.put(KEY, bytes("value"));
    Keyspace named = store.keyspace("named");
    Keyspace dropped = store.keyspace("dropped");
    Snapshot snapshot = store.snapshot();
    KvReader reader = snapshot.in(named);
    KvIterator iterator = store.scan();
    store.dropKeyspace("dropped");
    KvIterator current = snapshot.scan();
    current.next();
    store.close();
    assertUnusable(KvStore.class, store);
    assertUnusable(Keyspace.class, named);
    assertUnusable(Keyspace.class, dropped);
    assertUnusable(Snapshot.class, snapshot);
    assertUnusable(KvReader.class, reader);
    assertUnusable(KvIterator.class, iterator);
    assertUnusable(KvIterator.class, current);
    current.close();
    iterator.close();
    snapshot.close();
    store.close();
    assertUnusable(Snapshot.class, snapshot);
    assertUnusable(KvIterator.class, iterator);
  }

  @Test
  void everyMethodFailsAfterTheIteratorIsClosed() {
    store.put(KEY, bytes("value"));
    KvIterator iterator = store.scan();
    iterator.next();
    iterator.close();
    assertUnusable(KvIterator.class, iterator);
    assertThat(store.get(KEY)).isEqualTo(bytes("value"));
  }

  private void assertUnusable(Class<?> type, Object target) {
    for (ApiCall call : ApiCall.all(type)) {
      assertClosed(call.toString(), () -> call.with("keyspace", store).on(target));
    }
  }

  private static void assertClosed(String what, ThrowingCallable call) {
    assertThatThrownBy(call).as(what).isInstanceOf(StoreClosedException.class);
  }

  /** A closeable object, and a use of it. */
  private record Closeable(String name, Runnable close, ThrowingCallable use) {}

  @Test
  void everyClosingOrderWorks() {
    for (List<Integer> order : permutations(List.of(0, 1, 2, 3))) {
      store.put(KEY, bytes("value"));
      List<Closeable> open = openSome();
      List<Closeable> closed = new ArrayList<>();
      for (int next : order) {
        open.get(next).close().run();
        closed.add(open.get(next));
        boolean storeClosed = store.isClosed();
        for (Closeable one : open) {
          if (storeClosed || closed.contains(one)) {
            assertClosed(one.name() + ", order " + order, one.use());
          } else {
            assertThatCode(one.use())
                .as("%s, order %s", one.name(), order)
                .doesNotThrowAnyException();
          }
        }
      }
      openStore();
    }
  }

  private List<Closeable> openSome() {
    KvStore current = store;
    Snapshot snapshot = current.snapshot();
    KvIterator iterator = current.scan();
    KvIterator ofSnapshot = snapshot.scan();
    return List.of(
        new Closeable("store", current::close, () -> current.get(KEY)),
        new Closeable("snapshot", snapshot::close, () -> snapshot.get(KEY)),
        new Closeable("iterator", iterator::close, iterator::next),
        new Closeable("iterator of the snapshot", ofSnapshot::close, ofSnapshot::next));
  }

  private static List<List<Integer>> permutations(List<Integer> items) {
    if (items.isEmpty()) {
      return List.of(List.of());
    }
    List<List<Integer>> all = new ArrayList<>();
    for (Integer first : items) {
      List<Integer> others = items.stream().filter(item -> !item.equals(first)).toList();
      for (List<Integer> rest : permutations(others)) {
        List<Integer> one = new ArrayList<>(List.of(first));
        one.addAll(rest);
        all.add(one);
      }
    }
    return all;
  }

  @Test
  void manyThreadsMayClose() throws Exception {
    for (int i = 0; i < 1_000; i++) {
      store.put(bytes("key " + i), bytes("value " + i), Durability.BUFFERED);
    }
    Workers.run(THREADS, thread -> {
      store.close();
      assertThat(store.isClosed()).isTrue();
      assertClosed("get", () -> store.get(KEY));
    });
  }

  @Test
  void callsThatRaceWithCloseFailOnlyAsClosed() throws Exception {
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 100; i++) {
        store.put(bytes("key " + i), TestBytes.random(i, i * 20));
      }
      List<Closeable> users = racingUsers(store, store.keyspace("named"), store.snapshot());
      raceWithClose(users);
      openStore();
    }
  }

  /** Returns one endless use for each thread. */
  private List<Closeable> racingUsers(KvStore current, Keyspace named, Snapshot snapshot) {
    List<Closeable> users = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      users.add(
          switch (i % 4) {
            case 0 -> user("store", KvStore.class, current, current);
            case 1 -> user("keyspace", Keyspace.class, named, current);
            case 2 -> user("snapshot", Snapshot.class, snapshot, current);
            default -> new Closeable("iterator", () -> {}, () -> scanBothWays(current));
          });
    }
    return users;
  }

  private static Closeable user(String name, Class<?> type, Object target, Keyspace keyspace) {
    List<ApiCall> calls = ApiCall.all(type).stream()
        .filter(call -> !call.method().getName().equals("dropKeyspace"))
        .map(call -> call.with("keyspace", keyspace))
        .toList();
    return new Closeable(name, () -> {}, () -> {
      for (ApiCall call : calls) {
        call.on(target);
      }
    });
  }

  private static void scanBothWays(KvStore current) {
    try (KvIterator up = current.scan();
        KvIterator down = current.scan(ScanOptions.builder().reverse().build())) {
      while (up.next() && down.next()) {
        assertThat(up.key()).isNotEmpty();
        assertThat(down.value()).isNotNull();
      }
    }
  }

  private void raceWithClose(List<Closeable> users) throws Exception {
    CountDownLatch warm = new CountDownLatch(users.size() * 10);
    KvStore current = store;
    Workers.Body[] bodies = new Workers.Body[users.size() + 1];
    for (int i = 0; i < users.size(); i++) {
      Closeable user = users.get(i);
      bodies[i] = thread -> assertClosed(user.name(), () -> {
        try {
          while (true) {
            user.use().call();
            warm.countDown();
          }
        } finally {
          while (warm.getCount() > 0) {
            warm.countDown();
          }
        }
      });
    }
    bodies[users.size()] = thread -> {
      warm.await();
      current.close();
    };
    Workers.run(bodies);
  }

  @Test
  void readsThatRaceWithSnapshotCloseFailOnlyAsClosed() throws Exception {
    for (int i = 0; i < 100; i++) {
      store.put(bytes("key " + i), TestBytes.random(i, i * 20));
    }
    for (int round = 0; round < 5; round++) {
      Snapshot snapshot = store.snapshot();
      CountDownLatch warm = new CountDownLatch(100);
      Workers.Body reader = thread -> assertClosed("reader", () -> {
        try {
          while (true) {
            assertThat(snapshot.get(bytes("key 7"))).isEqualTo(TestBytes.random(7, 140));
            assertThat(entries(snapshot, ScanOptions.builder().limit(20).build()))
                .hasSize(20);
            warm.countDown();
          }
        } finally {
          while (warm.getCount() > 0) {
            warm.countDown();
          }
        }
      });
      Workers.run(reader, reader, reader, reader, closer -> {
        warm.await();
        store.put(bytes("key 7"), bytes("changed"));
        store.flush();
        snapshot.close();
      });
      store.put(bytes("key 7"), TestBytes.random(7, 140));
    }
  }
}
