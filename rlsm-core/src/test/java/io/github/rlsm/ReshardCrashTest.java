// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.FormatVersionException;
import io.github.rlsm.kv.InvalidOptionsException;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.StoreLockedException;
import io.github.rlsm.kv.TestSeed;
import io.github.rlsm.kv.WriteBatch;
import io.github.rlsm.proof.Proof;
import io.github.rlsm.shard.ShardedStore;
import io.github.rlsm.shard.TestShards;
import io.github.rlsm.shard.admin.Resharding;
import io.github.rlsm.shard.admin.ShardOpener;
import io.github.rlsm.shard.admin.ShardOpening;
import io.github.rlsm.shard.parts.PartLog;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Resharding of a store, crashed at every call that changes a file: recovery finds the old store or
 * the new one. {@code -Drlsm.reshard.stride=1} checks every call. By default every third call is
 * checked, beginning with a random one.
 */
class ReshardCrashTest {

  private static final int ENTRIES = 40;

  private final SplittableRandom random = new SplittableRandom(TestSeed.get());

  /** Returns a killed store, with batches that are not in its shards yet. */
  private static ReshardWorld store(int shards) {
    ReshardWorld world = new ReshardWorld();
    try (KvStore store = open(world, shards)) {
      Keyspace named = store.keyspace("named");
      for (int i = 0; i < ENTRIES; i++) {
        store.put(bytes("key " + i), new byte[i * 11]);
        store.write(
            new WriteBatch().put(named, bytes("n " + i), bytes("value")).delete(bytes("key 7")));
      }
      store.keyspace("empty");
      store.sync();
      if (shards > 1) {
        // Keys of all shards; this batch is durable in the log alone.
        WriteBatch last = new WriteBatch();
        for (int i = 0; i < ENTRIES; i += 4) {
          last.put(named, bytes("n " + i), bytes("last")).put(bytes("key " + i), bytes("last"));
        }
        store.write(last, Durability.SYNC);
      }
      return world.left(SimulatedDirectory::afterKill);
    }
  }

  /** Opens a store; 0 means a store without shards. */
  private static KvStore open(ReshardWorld world, int shards) {
    return shards == 0 ? world.openWhole() : openSharded(world, shards);
  }

  private static ShardedStore openSharded(ReshardWorld world, int shards) {
    return ShardOpening.open(
        world.own(), shards, world, TestShards.SETTINGS, TestShards.environment(shards));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static List<String> contents(KvStore store) {
    List<String> found = new ArrayList<>(store.keyspaceNames());
    for (Keyspace keyspace : List.of(store, store.keyspace("named"))) {
      try (KvIterator entries = keyspace.scan()) {
        entries.forEachRemaining(
            (key, value) -> found.add(new String(key, UTF_8) + "=" + value.length));
      }
    }
    return found;
  }

  private static long reshard(ReshardWorld world, int shards) {
    return Resharding.run(world.own(), shards, world, new SplittableRandom(shards));
  }

  @ParameterizedTest
  @CsvSource({"3, 2", "1, 3", "0, 2", "2, 0", "1, 0", "0, 1"})
  void aCrashAnywhereLeavesTheOldStoreOrTheNewOne(int before, int after) {
    ReshardWorld world = store(before);
    List<String> expected;
    try (KvStore store = open(world.left(SimulatedDirectory::afterKill), before)) {
      expected = contents(store);
    }
    assertThat(expected).hasSize(2 + 2 * ENTRIES - 1);
    List<ReshardWorld> survivors = new ArrayList<>();
    world.onEvent(() -> survivors.add(world.left(crash())));
    assertThat(reshard(world, after)).isEqualTo(2 * ENTRIES - 1);
    world.onEvent(() -> {});
    world.checkClosed();
    int old = 0;
    int stride = Proof.count("reshard.stride", 3);
    int first = random.nextInt(stride);
    int checked = 0;
    for (int i = first; i < survivors.size(); i += stride) {
      int shards = check(survivors.get(i), expected);
      assertThat(shards).isIn(before, after);
      old += shards == before ? 1 : 0;
      checked++;
    }
    // The last three calls follow the switch to the new store.
    assertThat(old).isBetween(checked / 2, checked - 3 / stride);
    Proof.ran("T1", "crash points of resharding", checked);
    assertThat(check(world, expected)).isEqualTo(after);
  }

  private UnaryOperator<SimulatedDirectory> crash() {
    if (random.nextInt(8) == 0) {
      return SimulatedDirectory::afterKill;
    }
    CrashStyle style = CrashStyle.values()[random.nextInt(CrashStyle.values().length)];
    return directory -> directory.afterCrash(style, random.nextLong());
  }

  /** Checks a store and returns its number of shards. Reshards one store in four again. */
  private int check(ReshardWorld world, List<String> expected) {
    int shards = 0;
    boolean isSharded = world.own().exists(StoreFileName.SHARDS);
    try (KvStore store = isSharded ? openSharded(world, 0) : world.openWhole()) {
      assertThat(contents(store)).as(TestSeed.howToReplay(TestSeed.get())).isEqualTo(expected);
      if (store instanceof ShardedStore) {
        shards = Resharding.shards(world.own()).getAsInt();
        assertThat(world.own().list())
            .containsExactlyInAnyOrder(StoreFileName.SHARDS, StoreFileName.LOCK);
      }
    }
    assertThat(world.shards().stream()
            .map(name -> name.substring(0, name.indexOf('/')))
            .distinct())
        .hasSize(shards == 0 ? 0 : 1);
    assertThat(world.shards()).hasSize(shards);
    if (random.nextInt(4) == 0) {
      reshard(world, shards + 1);
      try (KvStore store = open(world, shards + 1)) {
        assertThat(contents(store)).isEqualTo(expected);
      }
    }
    return shards;
  }

  @Test
  void reshardingToTheSameNumberChangesNothing() {
    ReshardWorld world = store(2);
    assertThat(reshard(world, 2)).isZero();
    assertThat(world.shards()).containsExactly("1/0", "1/1");
    world.checkClosed();
  }

  @Test
  void reshardingZeroToZeroShardsChangesNothing() {
    ReshardWorld world = store(0);
    assertThat(reshard(world, 0)).isZero();
    assertThat(world.shards()).isEmpty();
    world.checkClosed();
  }

  @Test
  void aStoreWithoutShardsInUseIsRefused() {
    ReshardWorld world = store(0);
    try (KvStore store = world.openWhole()) {
      assertThatThrownBy(() -> reshard(world, 2)).isInstanceOf(StoreLockedException.class);
      store.put(bytes("still"), bytes("there"));
    }
  }

  /** Stores with and without shards refuse to be opened as the other kind. */
  @Test
  void storeRefusesToOpenAsTheOtherKind() {
    ReshardWorld world = store(0);
    assertThatThrownBy(() -> openSharded(world, 2))
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("without shards");
    reshard(world, 2);
    assertThatThrownBy(world::openWhole)
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("several shards");
  }

  @Test
  void openWithTheOldNumberOfShardsIsRefused() {
    ReshardWorld world = store(2);
    reshard(world, 3);
    assertThat(world.shards()).containsExactly("2/0", "2/1", "2/2");
    assertThatThrownBy(() -> open(world, 2))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining(
            "shards is 2, but the store was made with 3; to change the number of shards");
  }

  @Test
  void aStoreInUseIsRefused() {
    ReshardWorld world = store(2);
    try (ShardedStore store = openSharded(world, 0)) {
      assertThatThrownBy(() -> reshard(world, 3)).isInstanceOf(StoreLockedException.class);
      assertThat(store.isClosed()).isFalse();
      assertThat(Resharding.shards(world.own())).hasValue(2);
    }
  }

  @Test
  void reshardingOfAMissingStoreCreatesNone() {
    ReshardWorld world = new ReshardWorld();
    assertThatThrownBy(() -> reshard(world, 3)).isInstanceOf(InvalidOptionsException.class);
    assertThat(world.shards()).isEmpty();
  }

  /** An incomplete copy must not replace the store. */
  @Test
  void incompleteCopyDoesNotReplaceTheStore() {
    ReshardWorld world = store(2);
    ShardOpener forgetful = new ShardOpener() {
      private int opened;

      @Override
      public KvStore open(int set, int shard) {
        KvStore store = world.open(set, shard);
        // The first shard of the new set, when it is opened again.
        if (set == 2 && shard == 0 && ++opened == 2) {
          try (KvIterator first = store.scan()) {
            assertThat(first.next()).isTrue();
            store.delete(first.key());
          }
        }
        return store;
      }

      @Override
      public boolean keepsParts() {
        return world.keepsParts();
      }

      @Override
      public PartLog.Opening prepare(int set, int shard) {
        return world.prepare(set, shard);
      }

      @Override
      public void keepOnly(int set) {
        world.keepOnly(set);
      }
    };
    assertThatThrownBy(() -> Resharding.run(world.own(), 3, forgetful, new SplittableRandom(1)))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining("does not have the same entries");
    world.checkClosed();
    try (KvStore store = open(world, 2)) {
      assertThat(contents(store)).hasSize(2 + 2 * ENTRIES - 1);
    }
    assertThat(world.shards()).containsExactly("1/0", "1/1");
  }
}
