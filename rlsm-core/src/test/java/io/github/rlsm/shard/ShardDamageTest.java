// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.FormatVersionException;
import io.github.rlsm.kv.InvalidOptionsException;
import io.github.rlsm.kv.ModelStore;
import io.github.rlsm.kv.StoreLockedException;
import io.github.rlsm.kv.WriteBatch;
import io.github.rlsm.shard.admin.ShardOpening;
import io.github.rlsm.shard.redo.ShardLogLayout;
import io.github.rlsm.shard.worker.ShardSettings;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a sharded store whose files or shards were damaged, removed or exchanged. */
class ShardDamageTest {

  private static final ShardSettings SETTINGS = new ShardSettings(64, 32, 1 << 20, 1 << 20, 64, 8);

  private SimulatedDirectory directory = new SimulatedDirectory();
  private List<ModelStore> models = List.of(new ModelStore(), new ModelStore());

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private ShardedStore open() {
    models =
        models.stream().map(model -> model.isClosed() ? model.reopen() : model).toList();
    return TestShards.over(directory, models, SETTINGS);
  }

  /** Returns a batch over both shards; see ShardRouterTest for the shards of these keys. */
  private static WriteBatch batch(String value) {
    return new WriteBatch().put(bytes("a"), bytes(value)).put(bytes("abc"), bytes(value));
  }

  /** Returns a file with three records, all of them in the shards. */
  private byte[] fileOfThree() {
    try (ShardedStore store = open()) {
      for (int i = 1; i <= 3; i++) {
        store.write(batch("value " + i));
      }
    }
    return directory.bytes(StoreFileName.SHARDS);
  }

  private void closeModels() {
    models.forEach(ModelStore::close);
  }

  @Test
  void everyBitIsChecked() {
    byte[] whole = fileOfThree();
    for (int bit = 0; bit < 8 * whole.length; bit++) {
      byte[] damaged = whole.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      directory.replace(StoreFileName.SHARDS, damaged);
      assertThatThrownBy(this::open)
          .as("bit %d of byte %d", bit % 8, bit / 8)
          .isInstanceOfAny(CorruptionException.class, FormatVersionException.class);
      assertThat(directory.openHandles()).isEmpty();
    }
  }

  @Test
  void truncatedFileIsReported() {
    byte[] whole = fileOfThree();
    for (int length = 0; length < whole.length; length++) {
      directory.replace(StoreFileName.SHARDS, Arrays.copyOf(whole, length));
      assertThatThrownBy(this::open).isInstanceOf(CorruptionException.class);
    }
  }

  @Test
  void missingFileIsReported() {
    fileOfThree();
    directory.delete(StoreFileName.SHARDS);
    assertThatThrownBy(this::open)
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("shard 0")
        .hasMessageContaining("store");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 16, 17, 40, 60})
  void tornUnappliedRecordIsDropped(int bytes) {
    byte[] whole = fileOfThree();
    try (ShardedStore store = open()) {
      store.put(bytes("a"), bytes("later"));
    }
    byte[] fresh = directory.bytes(StoreFileName.SHARDS);
    assertThat(fresh).hasSize(ShardLogLayout.HEAD_BYTES);
    byte[] torn = Arrays.copyOf(fresh, fresh.length + bytes);
    System.arraycopy(whole, fresh.length, torn, fresh.length, bytes);
    directory.replace(StoreFileName.SHARDS, torn);
    try (ShardedStore store = open()) {
      assertThat(store.get(bytes("a"))).isEqualTo(bytes("later"));
      store.write(batch("after"));
      assertThat(store.get(bytes("abc"))).isEqualTo(bytes("after"));
    }
  }

  @Test
  void missingAndExchangedShardsAreReported() {
    fileOfThree();
    List<ModelStore> own = models.stream().map(ModelStore::reopen).toList();
    models = List.of(own.get(1), own.get(0));
    assertThatThrownBy(this::open)
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("shard 0: is shard 1 of 2");
    models = List.of(own.get(0).reopen(), new ModelStore());
    assertThatThrownBy(this::open)
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining("shard 1");
    closeModels();
    models = List.of(models.get(0).reopen(), own.get(1).reopen());
    open().close();
  }

  @Test
  void shardsOfAnotherStoreAreRefused() {
    fileOfThree();
    List<ModelStore> own = models;
    directory = new SimulatedDirectory();
    models = List.of(new ModelStore(), new ModelStore());
    TestShards.over(directory, models, SETTINGS).close();
    List<ModelStore> others = models;
    models = List.of(others.get(0).reopen(), own.get(1).reopen());
    assertThatThrownBy(this::open)
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("shard 1: is shard 1 of 2 of store");
  }

  @Test
  void aStoreThatHoldsDataIsNotTakenForANewShard() {
    models.get(1).put(bytes("key"), bytes("value"));
    assertThatThrownBy(this::open)
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("shard 1: holds data");
  }

  @Test
  void anotherNumberOfShardsIsRefusedBeforeAnyIsOpened() {
    fileOfThree();
    assertThatThrownBy(() -> ShardOpening.open(
            directory,
            3,
            (set, shard) -> {
              throw new AssertionError("opened " + shard);
            },
            SETTINGS,
            TestShards.environment(1)))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("shards is 3, but the store was made with 2");
    open().close();
  }

  @Test
  void otherFilesAreRefused() {
    directory.replace(StoreFileName.CURRENT, bytes("anything"));
    assertThatThrownBy(this::open)
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("a store without shards");
    directory.delete(StoreFileName.CURRENT);
    directory.replace("notes.txt", bytes("anything"));
    assertThatThrownBy(this::open)
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("it holds notes.txt");
  }

  @Test
  void anOpenStoreIsLocked() {
    try (ShardedStore store = open()) {
      assertThatThrownBy(this::open).isInstanceOf(StoreLockedException.class);
      store.put(bytes("a"), bytes("1"));
    }
  }

  @Test
  void theLogIsEmptiedWhenItGrows() {
    ShardSettings small = new ShardSettings(64, 32, 1 << 20, 1_000, 64, 8);
    try (ShardedStore store = TestShards.over(directory, models, small)) {
      for (int i = 0; i < 200; i++) {
        store.write(batch("value " + i));
        assertThat(directory.size(StoreFileName.SHARDS)).isLessThan(1_200);
      }
    }
  }

  @Test
  void keyspaceOfTheMarkIsReserved() {
    try (ShardedStore store = open()) {
      assertThat(store.keyspaceNames()).isEmpty();
      assertThatThrownBy(() -> store.keyspace(ShardIdentity.KEYSPACE))
          .hasMessageContaining("is reserved");
      assertThatThrownBy(() -> store.dropKeyspace(ShardIdentity.KEYSPACE))
          .hasMessageContaining(ShardIdentity.KEYSPACE);
    }
  }
}
