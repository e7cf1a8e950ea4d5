// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.bench.workload.Keys;
import io.github.rlsm.bench.workload.Values;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StoreKindTest {

  private static final int KEYS = 2_000;
  private static final int VALUE_BYTES = 600;

  @TempDir
  Path directory;

  private static StoreSettings settings(boolean sync) {
    return new StoreSettings(KEYS, VALUE_BYTES, 512 << 20, sync, 2, Map.of());
  }

  @ParameterizedTest
  @EnumSource
  void findsWritesAfterReopening(StoreKind kind) {
    try (BenchStore store = kind.open(directory, settings(false));
        Session session = store.openSession()) {
      for (long id = 0; id < KEYS; id++) {
        put(kind, session, id, 1);
      }
      put(kind, session, 5, 2);
      delete(kind, session, 6);
      check(kind, session);
    }
    try (BenchStore store = kind.open(directory, settings(false));
        Session session = store.openSession()) {
      check(kind, session);
      assertThat(store.settle()).isNotNegative();
      check(kind, session);
      assertThat(store.statistics()).isNotEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void findsSyncWritesAfterReopening(StoreKind kind) {
    try (BenchStore store = kind.open(directory, settings(true));
        Session session = store.openSession()) {
      put(kind, session, 1, 1);
      put(kind, session, 2, 1);
      delete(kind, session, 2);
    }
    try (BenchStore store = kind.open(directory, settings(true));
        Session session = store.openSession()) {
      assertThat(version(kind, session, 1)).isEqualTo(1);
      assertThat(version(kind, session, 2)).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void opensManySessionsInSequence(StoreKind kind) {
    try (BenchStore store = kind.open(directory, settings(false))) {
      for (int i = 0; i < 20; i++) {
        try (Session session = store.openSession()) {
          put(kind, session, i, i);
          assertThat(version(kind, session, i)).isEqualTo(i);
        }
      }
    }
  }

  @Test
  void parsesStoreNames() {
    assertThat(StoreKind.parse("lmdb,rocksdb")).containsExactly(StoreKind.LMDB, StoreKind.ROCKSDB);
    assertThatThrownBy(() -> StoreKind.parse("leveldb"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"leveldb\"")
        .hasMessageContaining("rocksdb");
  }

  private static void check(StoreKind kind, Session session) {
    assertThat(version(kind, session, 4)).isEqualTo(1);
    assertThat(version(kind, session, 5)).isEqualTo(2);
    assertThat(version(kind, session, 6)).isEqualTo(-1);
    assertThat(version(kind, session, KEYS)).isEqualTo(-1);
    List<Long> inOrder = LongStream.range(0, KEYS)
        .filter(id -> id != 6)
        .boxed()
        .sorted(Comparator.comparingLong(Keys::order))
        .toList();
    assertThat(scan(kind, session, inOrder.get(10), 100)).isEqualTo(inOrder.subList(10, 110));
    assertThat(scan(kind, session, inOrder.get(KEYS - 11), 100))
        .isEqualTo(inOrder.subList(KEYS - 11, KEYS - 1));
  }

  private static void put(StoreKind kind, Session session, long id, long version) {
    ByteBuffer value = kind.allocate(VALUE_BYTES);
    Values.fill(value, VALUE_BYTES, id, version);
    session.put(key(kind, id), value);
  }

  private static void delete(StoreKind kind, Session session, long id) {
    session.delete(key(kind, id));
  }

  /** The version of the key's value; -1 if the key is absent. */
  private static long version(StoreKind kind, Session session, long id) {
    ByteBuffer value = kind.allocate(VALUE_BYTES);
    if (!session.get(key(kind, id), value)) {
      return -1;
    }
    assertThat(Values.isValid(value, VALUE_BYTES, id)).isTrue();
    return Values.version(value, id);
  }

  private static List<Long> scan(StoreKind kind, Session session, long fromId, int limit) {
    List<Long> ids = new ArrayList<>();
    int visited = session.scan(key(kind, fromId), limit, (key, value) -> {
      long id = Keys.id(key);
      assertThat(Values.isValid(value, VALUE_BYTES, id)).isTrue();
      ids.add(id);
    });
    assertThat(visited).isEqualTo(ids.size());
    return ids;
  }

  private static ByteBuffer key(StoreKind kind, long id) {
    ByteBuffer key = kind.allocate(StoreSettings.KEY_BYTES);
    Keys.fill(key, id);
    return key;
  }
}
