// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import static io.github.rlsm.kv.TestBytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests batches: order, keyspaces, sizes. {@link ConcurrencyContract} tests their atomicity. */
abstract class BatchContract extends ContractFixture {

  @Test
  void operationsApplyInTheirOrder() {
    store.put(bytes("a"), bytes("old"));
    store.put(bytes("b"), bytes("old"));
    store.write(new WriteBatch()
        .put(bytes("a"), bytes("1"))
        .delete(bytes("a"))
        .delete(bytes("b"))
        .put(bytes("b"), bytes("2"))
        .put(bytes("c"), bytes("3"))
        .put(bytes("c"), bytes("4"))
        .delete(bytes("none")));
    assertThat(entries(store)).containsExactly(entry("b", "2"), entry("c", "4"));
    store.flush();
    assertThat(entries(store)).containsExactly(entry("b", "2"), entry("c", "4"));
  }

  @Test
  void anEmptyBatchChangesNothing() {
    store.put(bytes("a"), bytes("1"));
    for (Durability durability : Durability.values()) {
      store.write(new WriteBatch(), durability);
    }
    assertThat(entries(store)).containsExactly(entry("a", "1"));
  }

  @Test
  void aBatchReachesManyKeyspaces() {
    List<Keyspace> keyspaces = new ArrayList<>(List.of(store));
    for (int i = 0; i < 20; i++) {
      keyspaces.add(store.keyspace("number " + i));
    }
    WriteBatch batch = new WriteBatch();
    for (Keyspace keyspace : keyspaces) {
      batch.put(keyspace, bytes("key"), bytes("in " + keyspace.name()));
      batch.put(keyspace, bytes("gone"), bytes("value"));
    }
    keyspaces.forEach(keyspace -> batch.delete(keyspace, bytes("gone")));
    store.write(batch);
    store.flush();
    for (Keyspace keyspace : keyspaces) {
      assertThat(entries(keyspace)).containsExactly(entry("key", "in " + keyspace.name()));
    }
  }

  @Test
  void theStoreAndNullBothNameTheDefaultKeyspace() {
    store.write(new WriteBatch()
        .put(store, bytes("a"), bytes("1"))
        .put((Keyspace) null, bytes("b"), bytes("2"))
        .put(bytes("c"), bytes("3"))
        .delete(store, bytes("c")));
    assertThat(entries(store)).containsExactly(entry("a", "1"), entry("b", "2"));
  }

  @Test
  void writeLeavesTheBatchUnchanged() {
    WriteBatch batch = new WriteBatch().put(bytes("a"), bytes("1")).delete(bytes("b"));
    store.write(batch);
    assertThat(batch.count()).isEqualTo(2);
    store.put(bytes("a"), bytes("changed"));
    store.put(bytes("b"), bytes("new"));
    store.write(batch);
    assertThat(entries(store)).containsExactly(entry("a", "1"));
  }

  @Test
  void writeKeepsNoReferenceToTheBatch() {
    WriteBatch batch = new WriteBatch();
    byte[] key = bytes("key");
    byte[] value = bytes("value");
    batch.put(key, value);
    key[0] = 'x';
    value[0] = 'x';
    store.write(batch);
    batch.clear();
    batch.put(bytes("KEY"), bytes("VALUE"));
    assertThat(entries(store)).containsExactly(entry("key", "value"));
    store.write(batch);
    assertThat(entries(store)).containsExactly(entry("KEY", "VALUE"), entry("key", "value"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 31, 32, 33, 1_000, 10_000})
  void batchesOfManyOperationsApplyWhole(int count) {
    WriteBatch batch = new WriteBatch();
    for (int i = 0; i < count; i++) {
      batch.put(bytes("key " + i), bytes("value " + i));
    }
    store.write(batch);
    for (int i = 0; i < count; i += 7) {
      assertThat(store.get(bytes("key " + i))).isEqualTo(bytes("value " + i));
    }
    assertThat(entries(store)).hasSize(count);
  }

  @Test
  void smallAndLargeValuesShareABatch() {
    int[] lengths = {0, 10, 300, 1_000, 5_000, 100_000, 1 << 20, 3 << 20};
    WriteBatch batch = new WriteBatch();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < lengths.length; i++) {
      byte[] value = TestBytes.random(i, lengths[i]);
      batch.put(bytes(i), value);
      expected.add(entry(bytes(i), value));
    }
    store.write(batch);
    assertThat(entries(store)).isEqualTo(expected);
    store.flush();
    assertThat(entries(store)).isEqualTo(expected);
  }

  @Test
  void aForeignKeyspaceIsRefusedAndNothingApplied() {
    try (KvStore another = openAnother()) {
      Keyspace foreign = another.keyspace("named");
      for (Keyspace keyspace : List.of(foreign, another)) {
        WriteBatch batch =
            new WriteBatch().put(bytes("a"), bytes("1")).put(keyspace, bytes("b"), bytes("2"));
        assertThatThrownBy(() -> store.write(batch)).isInstanceOf(IllegalArgumentException.class);
      }
      assertThat(entries(store)).isEmpty();
      assertThat(entries(another)).isEmpty();
      assertThat(entries(foreign)).isEmpty();
    }
  }

  @Test
  void aDroppedKeyspaceIsRefusedAndNothingApplied() {
    Keyspace dropped = store.keyspace("named");
    WriteBatch batch = new WriteBatch().put(bytes("a"), bytes("1")).delete(dropped, bytes("b"));
    store.dropKeyspace("named");
    assertThatThrownBy(() -> store.write(batch)).isInstanceOf(NoSuchKeyspaceException.class);
    Keyspace again = store.keyspace("named");
    assertThatThrownBy(() -> store.write(batch)).isInstanceOf(NoSuchKeyspaceException.class);
    assertThat(entries(store)).isEmpty();
    assertThat(entries(again)).isEmpty();
  }
}
