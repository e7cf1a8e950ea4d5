// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.admin;

import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.os.ShardDirectories;
import io.github.rlsm.shard.parts.PartLog;
import java.nio.file.Path;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Opens the store of one shard, and creates it if necessary. Any engine can be used. */
@FunctionalInterface
public interface ShardOpener {

  /**
   * Opens a shard's store. After a crash, the store must hold a prefix of its writes. Each batch
   * must be in this prefix as a whole or not at all. Everything made durable by
   * {@link KvStore#sync()} must be in the prefix.
   *
   * @param set the set of shards that the shard belongs to, from 1; {@link Resharding} creates new
   *     sets
   * @param shard the shard's number, from 0
   */
  KvStore open(int set, int shard);

  /**
   * Whether the shards' own logs keep the parts of cross-shard batches. If so, {@link #prepare}
   * opens the shards, and batches are not written to a redo log first.
   */
  default boolean keepsParts() {
    return false;
  }

  /** Opens a shard's store in two steps, if {@link #keepsParts}. */
  default PartLog.Opening prepare(int set, int shard) {
    throw new UnsupportedOperationException("the logs of these shards do not keep parts");
  }

  /**
   * Opens a store without shards, in the directory that otherwise holds the file {@code SHARDS}.
   * The requirements of {@link #open} apply. Called by {@link Resharding} only.
   *
   * @param directory owned and locked by the caller
   */
  default KvStore openWhole(StoreDirectory directory) {
    throw new UnsupportedOperationException("this opener cannot open a store without shards");
  }

  /**
   * Deletes the shards of all other sets, which a resharding has left. Called before any shard of
   * the set is opened, while the store is not open elsewhere.
   *
   * @param set the set to keep; 0 to delete all sets
   */
  default void keepOnly(int set) {}

  /**
   * Returns an opener of shards that each have a directory below an existing directory.
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
   * Returns an opener as above, of shards whose logs keep parts, and of a store without shards in
   * the same directory, see {@link #openWhole}.
   *
   * @param prepare begins to open a shard's store, given its directory and number
   */
  static ShardOpener below(
      Path directory,
      BiFunction<Path, Integer, KvStore> open,
      BiFunction<Path, Integer, PartLog.Opening> prepare,
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
      public PartLog.Opening prepare(int set, int shard) {
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
