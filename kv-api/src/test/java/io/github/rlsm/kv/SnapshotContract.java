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

/** Tests that snapshots freeze the whole store. */
abstract class SnapshotContract extends ContractFixture {

  private static final byte[] KEY = bytes("key");

  @Test
  void snapshotIgnoresLaterWrites() {
    store.put(KEY, bytes("before"));
    store.put(bytes("doomed"), TestBytes.random(1, 10_000));
    store.put(bytes("flushed"), bytes("1"));
    store.flush();
    store.put(bytes("flushed"), bytes("2"));
    try (Snapshot snapshot = store.snapshot()) {
      List<String> before = entries(store);
      store.put(KEY, bytes("after"));
      store.delete(bytes("doomed"));
      store.put(bytes("new"), bytes("value"));
      for (int round = 0; round < 2; round++) {
        assertThat(entries(snapshot)).isEqualTo(before);
        assertThat(snapshot.get(KEY)).isEqualTo(bytes("before"));
        assertThat(snapshot.contains(bytes("new"))).isFalse();
        assertThat(snapshot.get(ByteBuffer.wrap(bytes("doomed"))))
            .isEqualTo(TestBytes.random(1, 10_000));
        assertThat(snapshot.get(KEY, ByteBuffer.allocate(3))).isEqualTo(6);
        assertThat(snapshot.multiGet(List.of(bytes("new"), KEY)))
            .containsExactly(null, bytes("before"));
        store.flush();
      }
    }
    assertThat(store.get(KEY)).isEqualTo(bytes("after"));
  }

  @Test
  void anEmptyStoreStaysEmpty() {
    try (Snapshot snapshot = store.snapshot()) {
      store.put(KEY, bytes("value"));
      store.flush();
      assertThat(entries(snapshot)).isEmpty();
      assertThat(snapshot.get(KEY)).isNull();
    }
  }

  @Test
  void aSnapshotHoldsAllKeyspaces() {
    Keyspace named = store.keyspace("named");
    store.put(KEY, bytes("default before"));
    named.put(KEY, bytes("named before"));
    try (Snapshot snapshot = store.snapshot()) {
      store.write(new WriteBatch()
          .put(KEY, bytes("default after"))
          .put(named, KEY, bytes("named after"))
          .put(named, bytes("new"), bytes("value")));
      store.flush();
      assertThat(entries(snapshot)).containsExactly(entry("key", "default before"));
      assertThat(entries(snapshot.in(store))).containsExactly(entry("key", "default before"));
      assertThat(entries(snapshot.in(named))).containsExactly(entry("key", "named before"));
      assertThat(snapshot.in(store.keyspace("named")).get(KEY)).isEqualTo(bytes("named before"));
    }
  }

  @Test
  void keyspacesMadeLaterAreEmpty() {
    try (Snapshot snapshot = store.snapshot()) {
      Keyspace later = store.keyspace("later");
      later.put(KEY, bytes("value"));
      assertThat(entries(snapshot.in(later))).isEmpty();
      assertThat(snapshot.in(later).get(KEY)).isNull();
    }
  }

  @Test
  void droppedKeyspacesAreStillThere() {
    Keyspace dropped = store.keyspace("named");
    dropped.put(KEY, bytes("before"));
    dropped.put(bytes("large"), TestBytes.random(1, 50_000));
    store.flush();
    try (Snapshot snapshot = store.snapshot()) {
      store.dropKeyspace("named");
      Keyspace again = store.keyspace("named");
      again.put(KEY, bytes("after"));
      store.flush();
      assertThat(entries(snapshot.in(dropped))).hasSize(2);
      assertThat(snapshot.in(dropped).get(KEY)).isEqualTo(bytes("before"));
      assertThat(entries(snapshot.in(again))).isEmpty();
    }
  }

  @Test
  void eachSnapshotSeesItsPointInTime() {
    List<Snapshot> snapshots = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      store.put(KEY, bytes("value " + i));
      store.put(bytes("key " + i), TestBytes.random(i, i * 40));
      snapshots.add(store.snapshot());
      if (i % 13 == 0) {
        store.flush();
      }
    }
    for (int i = 0; i < 50; i += 2) {
      snapshots.get(i).close();
    }
    store.flush();
    for (int i = 1; i < 50; i += 2) {
      try (Snapshot snapshot = snapshots.get(i)) {
        assertThat(snapshot.get(KEY)).isEqualTo(bytes("value " + i));
        assertThat(entries(snapshot)).hasSize(i + 2);
      }
    }
  }

  @Test
  void twoSnapshotsOfTheSameStateAreIndependent() {
    store.put(KEY, bytes("value"));
    Snapshot first = store.snapshot();
    Snapshot second = store.snapshot();
    first.close();
    store.put(KEY, bytes("changed"));
    store.flush();
    assertThat(second.get(KEY)).isEqualTo(bytes("value"));
    second.close();
  }

  @Test
  void anIteratorOutlivesItsSnapshot() {
    for (int i = 0; i < 100; i++) {
      store.put(bytes("key " + i), TestBytes.random(i, 500));
    }
    Snapshot snapshot = store.snapshot();
    List<String> before = entries(snapshot);
    try (KvIterator iterator = snapshot.scan();
        KvIterator inStore = snapshot.in(store).scan()) {
      assertThat(iterator.next()).isTrue();
      snapshot.close();
      for (int i = 0; i < 100; i++) {
        store.put(bytes("key " + i), bytes("changed"));
      }
      store.flush();
      assertThat(rest(iterator, false)).isEqualTo(before.subList(1, 100));
      assertThat(rest(inStore, false)).isEqualTo(before);
    }
  }

  @Test
  void everyUseAfterCloseIsAnError() {
    Keyspace named = store.keyspace("named");
    Snapshot snapshot = store.snapshot();
    KvReader reader = snapshot.in(named);
    snapshot.close();
    snapshot.close();
    for (ApiCall call : ApiCall.all(Snapshot.class)) {
      assertThatThrownBy(() -> call.with("keyspace", named).on(snapshot))
          .as("%s", call)
          .isInstanceOf(StoreClosedException.class);
    }
    for (ApiCall call : ApiCall.all(KvReader.class)) {
      assertThatThrownBy(() -> call.on(reader))
          .as("%s", call)
          .isInstanceOf(StoreClosedException.class);
    }
    store.put(KEY, bytes("value"));
    assertThat(store.get(KEY)).isEqualTo(bytes("value"));
  }

  @Test
  void foreignKeyspacesAreRefused() {
    try (KvStore another = openAnother();
        Snapshot snapshot = store.snapshot()) {
      Keyspace named = another.keyspace("named");
      assertThatThrownBy(() -> snapshot.in(another)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> snapshot.in(named)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
