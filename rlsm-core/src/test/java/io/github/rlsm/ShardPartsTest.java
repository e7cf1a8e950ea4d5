// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.DiskFullException;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.FormatVersionException;
import io.github.rlsm.kv.StoreHealth;
import io.github.rlsm.kv.WriteBatch;
import io.github.rlsm.shard.ShardedStore;
import io.github.rlsm.shard.TestShards;
import io.github.rlsm.shard.admin.ShardOpening;
import io.github.rlsm.shard.worker.ShardRouter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests batches whose parts are in the logs of three engines, one rule in each test. */
class ShardPartsTest {

  private static final int SHARDS = 3;
  private static final byte[] VALUE = "value".getBytes(UTF_8);

  private EngineShards world = new EngineShards(TinyOptions.ROOMY, SHARDS, true);
  private ShardedStore store = open();

  @BeforeEach
  void makeDurable() {
    store.sync();
  }

  @AfterEach
  void close() {
    store.close();
    world.checkClosed();
  }

  private ShardedStore open() {
    return ShardOpening.open(
        world.directory(), SHARDS, world.opener(), TestShards.SETTINGS, TestShards.environment(1));
  }

  /** The n-th key of a shard. */
  private static byte[] key(int shard, int n) {
    ShardRouter router = new ShardRouter(SHARDS);
    List<byte[]> found = new ArrayList<>();
    for (int i = 0; found.size() <= n; i++) {
      byte[] key = ("key" + i).getBytes(UTF_8);
      if (router.shardOf(key, 0, key.length) == shard) {
        found.add(key);
      }
    }
    return found.get(n);
  }

  private void batch(int n, Durability durability, int... shards) {
    WriteBatch batch = new WriteBatch();
    for (int shard : shards) {
      batch.put(key(shard, n), VALUE);
    }
    store.write(batch, durability);
  }

  private boolean has(int shard, int n) {
    return store.contains(key(shard, n));
  }

  /** Cuts the power. Unforced data survives only in the given shards. */
  private void losePower(Integer... lucky) {
    List<Integer> kept = List.of(lucky);
    EngineShards left = world.afterPowerLoss(
        shard -> kept.contains(shard) ? CrashStyle.KEEP_UNSYNCED : CrashStyle.DROP_UNSYNCED);
    store.close();
    world = left;
    store = open();
  }

  private long syncs() {
    return store.stats().writes().syncs();
  }

  @Test
  void onlySyncBatchesForceLogs() {
    long before = syncs();
    batch(0, Durability.OS, 0, 1, 2);
    assertThat(syncs()).isEqualTo(before);
    batch(1, Durability.SYNC, 0, 1);
    assertThat(syncs()).as("with shard 2, part of the previous batch").isEqualTo(before + 3);
    batch(2, Durability.SYNC, 0, 1);
    assertThat(syncs()).as("forces of the participating shards only").isEqualTo(before + 5);
  }

  @Test
  void batchLostInOneShardIsDroppedInAllForGood() {
    batch(0, Durability.OS, 0, 1);
    store.put(key(0, 5), VALUE, Durability.OS);
    losePower(0);
    assertThat(has(0, 0)).isFalse();
    assertThat(has(1, 0)).isFalse();
    assertThat(has(0, 5)).as("a write after the batch that was left out").isFalse();
    // Batches after the opening discard its recovery state, and must survive themselves.
    batch(1, Durability.SYNC, 0, 1);
    batch(2, Durability.SYNC, 1, 2);
    losePower();
    assertThat(has(0, 0)).isFalse();
    assertThat(has(1, 0)).isFalse();
    assertThat(has(0, 5)).isFalse();
    assertThat(has(0, 1) && has(1, 1) && has(1, 2) && has(2, 2)).isTrue();
  }

  @Test
  void batchesThatFollowALostBatchAreDroppedToo() {
    batch(0, Durability.OS, 0, 1);
    batch(1, Durability.OS, 1, 2);
    losePower(1, 2);
    assertThat(has(1, 0) || has(1, 1) || has(2, 1)).isFalse();
  }

  @Test
  void syncOfOneShardCoversEarlierBatchesOfItsPartners() {
    batch(0, Durability.OS, 1, 2);
    batch(1, Durability.OS, 0, 1);
    store.put(key(0, 5), VALUE, Durability.SYNC);
    losePower();
    assertThat(has(1, 0) && has(2, 0) && has(0, 1) && has(1, 1) && has(0, 5)).isTrue();
  }

  @Test
  void syncBatchCoversEarlierBatchesOfItsShards() {
    batch(0, Durability.OS, 1, 2);
    batch(1, Durability.SYNC, 0, 1);
    losePower();
    assertThat(has(1, 0) && has(2, 0) && has(0, 1) && has(1, 1)).isTrue();
  }

  @Test
  void aFlushOfOneShardCoversTheOthersParts() {
    batch(0, Durability.OS, 0, 1);
    fill(0);
    assertThat(world.tables(0)).isPositive();
    losePower();
    assertThat(has(0, 0) && has(1, 0)).isTrue();
  }

  /** Writes until the shard flushes on its own. */
  private void fill(int shard) {
    byte[] large = new byte[8 << 10];
    for (int i = 1; i < 40; i++) {
      store.put(key(shard, i), large, Durability.OS);
    }
  }

  /** After the death of the process, no recovered write is known to be durable. */
  @Test
  void recoveredPartsAreMadeDurableBeforeAnyPromise() {
    batch(0, Durability.OS, 0, 1);
    EngineShards left = world.afterKill(1);
    store.close();
    world = left;
    store = open();
    fill(0);
    losePower();
    assertThat(has(0, 0) && has(1, 0)).isTrue();
  }

  /** The disk of one shard is full. The other shards have space for their parts, and try first. */
  @ParameterizedTest
  @ValueSource(ints = {8, 3000})
  void batchThatOneFullShardRefusesIsWrittenNowhere(int valueBytes) {
    batch(0, Durability.SYNC, 0, 1, 2);
    world.shard(1).capacity(0);
    int refused = fillUntilRefused(1, valueBytes);
    for (int n = 1; n <= 3; n++) {
      int number = n;
      assertThatThrownBy(() -> store.write(large(number, valueBytes), Durability.OS))
          .isInstanceOf(DiskFullException.class);
      store.put(key(0, 20 + n), VALUE, Durability.SYNC);
      assertThat(store.health().state()).isEqualTo(StoreHealth.State.DEGRADED);
      assertThat(has(0, n) || has(1, n) || has(2, n)).isFalse();
    }
    world.shard(1).capacity(Long.MAX_VALUE);
    store.resume();
    assertThat(store.health()).isEqualTo(StoreHealth.HEALTHY);
    store.write(large(4, valueBytes), Durability.OS);
    store.put(key(1, 30), VALUE, Durability.SYNC);
    assertThatCode(this::losePower).as("opens after a power loss").doesNotThrowAnyException();
    for (int n = 1; n <= 3; n++) {
      assertThat(has(0, n) || has(1, n) || has(2, n)).as("%d was refused", n).isFalse();
      assertThat(has(0, 20 + n)).isTrue();
    }
    assertThat(has(0, 0) && has(1, 0) && has(2, 0)).isTrue();
    assertThat(has(0, 4) && has(1, 4) && has(2, 4) && has(1, 30)).isTrue();
    assertThat(has(1, refused)).isFalse();
    store.verify();
  }

  private static WriteBatch large(int n, int valueBytes) {
    WriteBatch batch = new WriteBatch();
    for (int shard = 0; shard < SHARDS; shard++) {
      batch.put(key(shard, n), new byte[valueBytes]);
      batch.delete(key(shard, 10 + n));
    }
    return batch;
  }

  /** Fills a shard whose disk is full. Returns the number of the first refused key. */
  private int fillUntilRefused(int shard, int valueBytes) {
    for (int n = 40; ; n++) {
      try {
        store.put(key(shard, n), new byte[valueBytes], Durability.OS);
      } catch (DiskFullException e) {
        return n;
      }
    }
  }

  @Test
  void aShardIsNotOpenedWithoutTheOthers() {
    batch(0, Durability.OS, 0, 1);
    SimulatedDirectory alone = world.shard(0).afterKill();
    assertThatThrownBy(() ->
            RlsmStore.open(alone, TinyOptions.ROOMY.options(), InlineScheduler.environment(1)))
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("it is a shard; open the store that it belongs to");
    assertThat(alone.openHandles()).isEmpty();
  }

  @Test
  void storeRefusesAnotherWayOfKeepingBatches() {
    store.close();
    EngineShards redo = world.withRedo();
    assertThatThrownBy(() -> ShardOpening.open(
            redo.directory(),
            SHARDS,
            redo.opener(),
            TestShards.SETTINGS,
            TestShards.environment(1)))
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("keep parts of cross-shard batches");
  }

  @ParameterizedTest
  @EnumSource(value = EngineShards.Bug.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void crashesRevealEachBug(EngineShards.Bug bug) {
    assertThatThrownBy(() -> ShardedEngineCrashTest.crashes(3_000, bug))
        .as("%s", bug)
        .isInstanceOfAny(AssertionError.class, CorruptionException.class);
  }

  @ParameterizedTest
  @EnumSource(value = EngineShards.Bug.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void crashesAmongClientsRevealEachBug(EngineShards.Bug bug) {
    assertThatThrownBy(() -> ShardedEngineCrashTest.crashesAmongClients(3_000, bug))
        .as("%s", bug)
        .isInstanceOfAny(AssertionError.class, CorruptionException.class);
  }
}
