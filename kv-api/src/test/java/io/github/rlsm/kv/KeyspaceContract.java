// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import static io.github.rlsm.kv.TestBytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests named keyspaces: creation, listing, isolation, drop. */
abstract class KeyspaceContract extends ContractFixture {

  @Test
  void aKeyspaceKnowsItsNameAndStore() {
    Keyspace named = store.keyspace("named");
    assertThat(named.name()).isEqualTo("named");
    assertThat(named.store()).isSameAs(store);
  }

  @Test
  void theSameNameGivesTheSameData() {
    store.keyspace("named").put(bytes("key"), bytes("value"));
    assertThat(store.keyspace("named").get(bytes("key"))).isEqualTo(bytes("value"));
  }

  @Test
  void keyspacesAreKeptApart() {
    List<Keyspace> keyspaces = new ArrayList<>(List.of(store));
    for (int i = 0; i < 300; i++) {
      keyspaces.add(store.keyspace("number " + i));
    }
    for (Keyspace keyspace : keyspaces) {
      keyspace.put(bytes("key"), bytes("in " + keyspace.name()));
      keyspace.put(bytes("only " + keyspace.name()), bytes("value"));
    }
    for (int round = 0; round < 2; round++) {
      for (Keyspace keyspace : keyspaces) {
        assertThat(entries(keyspace))
            .containsExactly(
                entry("key", "in " + keyspace.name()), entry("only " + keyspace.name(), "value"));
        assertThat(entries(keyspace, ScanOptions.builder().reverse().limit(3).build()))
            .hasSize(2);
      }
      store.flush();
    }
    keyspaces.get(7).delete(bytes("key"));
    assertThat(keyspaces.get(7).contains(bytes("key"))).isFalse();
    assertThat(keyspaces.get(8).contains(bytes("key"))).isTrue();
    assertThat(store.contains(bytes("key"))).isTrue();
  }

  /** A prefix that distinguishes keyspaces must not mix with the key. */
  @Test
  void extremeKeysStayInTheirKeyspace() {
    List<byte[]> keys = List.of(bytes(0), bytes(0, 0, 0, 0), bytes(0xFF), bytes(0xFF, 0xFF, 0xFF));
    List<Keyspace> keyspaces =
        List.of(store, store.keyspace("a"), store.keyspace("b"), store.keyspace("c"));
    for (Keyspace keyspace : keyspaces) {
      keys.forEach(key -> keyspace.put(key, bytes("in " + keyspace.name())));
    }
    store.flush();
    for (Keyspace keyspace : keyspaces) {
      assertThat(entries(keyspace))
          .containsExactlyElementsOf(keys.stream()
              .map(key -> entry(key, bytes("in " + keyspace.name())))
              .toList());
      assertThat(entries(keyspace, ScanOptions.prefix(bytes(0xFF)))).hasSize(2);
      assertThat(entries(
              keyspace, ScanOptions.builder().from(bytes(0xFF)).reverse().build()))
          .hasSize(2);
      assertThat(entries(keyspace, ScanOptions.builder().to(bytes(0, 1)).build()))
          .hasSize(2);
    }
  }

  @Test
  void namesAreListed() {
    assertThat(store.keyspaceNames()).isEmpty();
    store.keyspace("b");
    Keyspace first = store.keyspace("a");
    Set<String> names = store.keyspaceNames();
    assertThat(names).containsExactlyInAnyOrder("a", "b");
    store.keyspace("a");
    store.keyspace("c");
    assertThat(names).as("at the time of the call").containsExactlyInAnyOrder("a", "b");
    store.dropKeyspace(first.name());
    assertThat(store.keyspaceNames()).containsExactlyInAnyOrder("b", "c");
  }

  @Test
  void namesMayBeAnyText() {
    List<String> names = List.of(
        " ",
        "/",
        "..",
        "a/b\\c",
        "名前",
        "\u0000",
        "a\u0000",
        "😀",
        "x".repeat(255),
        "A",
        "a",
        "default");
    for (String name : names) {
      store.keyspace(name).put(bytes("key"), bytes(name));
    }
    assertThat(store.keyspaceNames()).containsExactlyInAnyOrderElementsOf(names);
    for (String name : names) {
      assertThat(store.keyspace(name).get(bytes("key"))).isEqualTo(bytes(name));
    }
  }

  @Test
  void dropRemovesAllEntries() {
    Keyspace dropped = store.keyspace("dropped");
    Keyspace kept = store.keyspace("kept");
    for (Keyspace keyspace : List.of(store, dropped, kept)) {
      keyspace.put(bytes("flushed"), bytes("value"));
      keyspace.put(bytes("large"), TestBytes.random(1, 100_000));
    }
    store.flush();
    dropped.put(bytes("fresh"), bytes("value"));
    store.dropKeyspace("dropped");
    assertThat(store.keyspaceNames()).containsExactly("kept");
    assertThat(entries(kept)).hasSize(2);
    assertThat(entries(store)).hasSize(2);
  }

  @Test
  void everyUseOfADroppedKeyspaceIsAnError() {
    Keyspace dropped = store.keyspace("named");
    dropped.put(bytes("key"), bytes("value"));
    store.dropKeyspace("named");
    assertUnusable(dropped);
    store.keyspace("named").put(bytes("key"), bytes("value"));
    assertUnusable(dropped);
    assertThat(dropped.name()).isEqualTo("named");
    assertThat(dropped.store()).isSameAs(store);
  }

  private static void assertUnusable(Keyspace dropped) {
    for (ApiCall call : ApiCall.all(Keyspace.class)) {
      assertThatThrownBy(() -> call.on(dropped))
          .as("%s", call)
          .isInstanceOf(NoSuchKeyspaceException.class)
          .hasMessageContaining("named");
    }
  }

  @Test
  void aKeyspaceMadeAgainIsEmpty() {
    for (int round = 0; round < 5; round++) {
      Keyspace named = store.keyspace("named");
      assertThat(entries(named)).isEmpty();
      assertThat(named.get(bytes("key"))).isNull();
      named.put(bytes("key"), bytes("round " + round));
      if (round % 2 == 0) {
        store.flush();
      }
      assertThat(entries(named)).containsExactly(entry("key", "round " + round));
      store.dropKeyspace("named");
    }
    assertThat(store.keyspaceNames()).isEmpty();
  }

  @Test
  void dropOfAMissingKeyspaceIsRefused() {
    store.keyspace("named");
    store.dropKeyspace("named");
    for (String name : List.of("named", "never", "")) {
      assertThatThrownBy(() -> store.dropKeyspace(name))
          .isInstanceOfSatisfying(
              NoSuchKeyspaceException.class, e -> assertThat(e.name()).isEqualTo(name));
    }
  }
}
