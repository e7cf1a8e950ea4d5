// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.io.ShardDirectories;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.KvStore;
import java.nio.file.Path;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Opens the store of one shard, and makes it if it is not there: any kind of store will do. */
@FunctionalInterface
public interface ShardOpener {

  /**
   * Opens a shard's store. Of a store that is opened again after a crash it is expected that a
   * batch is there whole or not at all, that what is there is a beginning of what was written, and
   * that what was made durable by {@link KvStore#sync()} is among it.
   *
   * @param set which set of shards it belongs to, from 1: a store that is dealt out to another
   *     number of them gets new ones, see {@link Resharding}
   * @param shard the shard's number, from 0
   */
  KvStore open(int set, int shard);

  /**
   * Whether the shards' own logs keep the parts of batches over several of them: then they are
   * opened by {@link #prepare}, and the batches are not written to a log of their own first.
   */
  default boolean keepsParts() {
    return false;
  }

  /** As {@link #open}, in two steps, if {@link #keepsParts}. */
  default PartLogOpening prepare(int set, int shard) {
    throw new UnsupportedOperationException("the shards' logs do not keep parts");
  }

  /**
   * Opens the store that is not in shards, in the directory where else the file {@code SHARDS} is;
   * of it the same is expected. Only {@link Resharding} asks for it.
   *
   * @param directory lent: its lock is held by the caller
   */
  default KvStore openWhole(StoreDirectory directory) {
    throw new UnsupportedOperationException("there is no way to a store without shards");
  }

  /**
   * Removes the shards of all other sets, if there are any: what a resharding has left. Called
   * while nobody else has the store, and before any shard of the set is opened.
   *
   * @param set 0 to remove all
   */
  default void keepOnly(int set) {}

  /**
   * Shards with a directory each, below one that exists.
   *
   * @param open opens a shard's store, given its directory and number
   */
  static ShardOpener below(Path directory, BiFunction<Path, Integer, KvStore> open) {
    return new ShardOpener() {
      @Override
      public KvStore open(int set, int shard) {
        return open.apply(ShardDirectories.of(directory, set, shard), shard);
      }

      @Override
      public void keepOnly(int set) {
        ShardDirectories.keepOnly(directory, set);
      }
    };
  }

  /**
   * The same, of shards whose logs keep parts, and a store without shards in that directory, see
   * {@link #openWhole}.
   *
   * @param prepare begins to open a shard's store, likewise
   */
  static ShardOpener below(
      Path directory,
      BiFunction<Path, Integer, KvStore> open,
      BiFunction<Path, Integer, PartLogOpening> prepare,
      Function<StoreDirectory, KvStore> openWhole) {
    ShardOpener plain = below(directory, open);
    return new ShardOpener() {
      @Override
      public KvStore open(int set, int shard) {
        return plain.open(set, shard);
      }

      @Override
      public boolean keepsParts() {
        return true;
      }

      @Override
      public PartLogOpening prepare(int set, int shard) {
        return prepare.apply(ShardDirectories.of(directory, set, shard), shard);
      }

      @Override
      public KvStore openWhole(StoreDirectory whole) {
        return openWhole.apply(whole);
      }

      @Override
      public void keepOnly(int set) {
        plain.keepOnly(set);
      }
    };
  }
}
