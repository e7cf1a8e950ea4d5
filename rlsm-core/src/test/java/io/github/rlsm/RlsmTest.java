// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.FormatVersionException;
import io.github.rlsm.kv.InvalidOptionsException;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.shard.ShardedStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which store each option opens, in real directories, and what works on both kinds. */
class RlsmTest {

  @TempDir
  Path temporary;

  private Path directory;

  @BeforeEach
  void nameDirectory() {
    directory = temporary.resolve("store");
  }

  private static RlsmOptions shards(int count) {
    return RlsmOptions.builder().memoryBudget(2 << 20).shards(count).build();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  @Test
  void shardsOptionSelectsTheKindOfStore() {
    try (KvStore store = Rlsm.open(directory, shards(2))) {
      assertThat(store).isInstanceOf(ShardedStore.class);
      store.put(bytes("key"), bytes("value"));
    }
    assertThatThrownBy(() -> Rlsm.open(directory, shards(0)))
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("a store of several shards");
    assertThatThrownBy(() -> Rlsm.open(directory, shards(3)))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("shards is 3, but the store was made with 2");
    try (ShardedStore store = Rlsm.openSharded(directory, shards(0))) {
      assertThat(Rlsm.shardCount(directory)).hasValue(2);
      assertThat(store.get(bytes("key"))).isEqualTo(bytes("value"));
    }
  }

  @Test
  void storeHasNoShardsByDefault() {
    try (KvStore store = Rlsm.open(directory, shards(0))) {
      assertThat(store).isInstanceOf(RlsmStore.class);
    }
    assertThatThrownBy(() -> Rlsm.open(directory, shards(2)))
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("a store without shards");
  }

  @Test
  void storeOpensWithoutOptions() {
    try (KvStore store = Rlsm.open(directory)) {
      store.put(bytes("key"), bytes("value"));
    }
    try (KvStore store = Rlsm.open(directory, RlsmOptions.defaults())) {
      assertThat(store.get(bytes("key"))).isEqualTo(bytes("value"));
    }
  }

  @Test
  void shardCountIsReadFromDisk() throws Exception {
    assertThat(Rlsm.shardCount(Files.createDirectory(directory))).isEmpty();
    Rlsm.open(directory, shards(0)).close();
    assertThat(Rlsm.shardCount(directory)).hasValue(0);
    Rlsm.reshard(directory, shards(3));
    assertThat(Rlsm.shardCount(directory)).hasValue(3);
    try (KvStore store = Rlsm.open(directory, shards(3))) {
      assertThat(store.isClosed()).isFalse();
      assertThat(Rlsm.shardCount(directory)).hasValue(3);
    }
    Files.writeString(directory.resolve("SHARDS"), "too short");
    assertThatThrownBy(() -> Rlsm.shardCount(directory)).isInstanceOf(CorruptionException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void collectFreesOverwrittenValues(int count) {
    try (KvStore store = Rlsm.open(directory, shards(count))) {
      for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 500; i++) {
          store.put(bytes("key " + i), new byte[4_000]);
        }
        store.flush();
      }
      // Not its result: a background job may have freed the segments before the call.
      store.collect();
      assertThat(store.stats().space().deadBytes()).isZero();
      assertThat(store.stats().space().freedSegments()).isPositive();
      store.verify();
      for (int i = 0; i < 500; i++) {
        assertThat(store.get(bytes("key " + i))).hasSize(4_000);
      }
    }
  }

  @Test
  void newShardedStoreNeedsTheNumberOfShards() {
    assertThatThrownBy(() -> Rlsm.openSharded(directory, shards(0)))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("shards is 0");
  }

  @Test
  void shardsOptionIsReadFromProperties() {
    assertThat(RlsmOptions.fromProperties(Map.of("shards", "4")).shards()).isEqualTo(4);
    assertThatThrownBy(() -> shards(1025)).hasMessageContaining("shards");
  }

  @Test
  void settlingCleansEveryShard() {
    try (KvStore store = Rlsm.open(directory, shards(2))) {
      for (int i = 0; i < 1_000; i++) {
        store.put(bytes("key " + i), new byte[1_000]);
      }
      store.flush();
      for (int i = 0; i < 1_000; i++) {
        store.delete(bytes("key " + i));
      }
      store.settle();
      assertThat(store.stats().space().deadBytes()).isZero();
    }
  }

  @Test
  void reshardingDeletesTheOldShards() throws Exception {
    try (KvStore store = Rlsm.open(directory, shards(3))) {
      for (int i = 0; i < 2_000; i++) {
        store.put(bytes("key " + i), new byte[i % 1_000]);
      }
      store.keyspace("named").put(bytes("key"), bytes("value"));
    }
    // Simulates the files of an interrupted resharding.
    Files.createDirectories(directory.resolve("shard-2-0000").resolve("deeper"));
    Files.writeString(directory.resolve("shard-2-0000").resolve("tab-00000001.tbl"), "half");
    Files.createDirectory(directory.resolve("shard-of-somebody-else"));
    assertThat(Rlsm.reshard(directory, shards(2))).isEqualTo(2_001);
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "LOCK", "SHARDS", "shard-2-0000", "shard-2-0001", "shard-of-somebody-else");
    }
    try (KvStore store = Rlsm.open(directory, shards(2))) {
      for (int i = 0; i < 2_000; i++) {
        assertThat(store.get(bytes("key " + i))).hasSize(i % 1_000);
      }
      assertThat(store.keyspace("named").get(bytes("key"))).isEqualTo(bytes("value"));
    }
  }
}
