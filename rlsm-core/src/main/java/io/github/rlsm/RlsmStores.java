// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.engine.ShardThreads;
import io.github.rlsm.io.OsDirectory;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.shard.PartLogOpening;
import io.github.rlsm.shard.Resharding;
import io.github.rlsm.shard.ShardEnvironment;
import io.github.rlsm.shard.ShardOpener;
import io.github.rlsm.shard.ShardSettings;
import io.github.rlsm.shard.ShardedStore;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Objects;

/** Opens stores with shards and without. Threads: any. */
public final class RlsmStores {

  private RlsmStores() {}

  /**
   * Opens the kind of store that {@link RlsmOptions#shards} says, and makes it if there is none.
   *
   * @throws io.github.rlsm.kv.FormatVersionException if the directory holds one of the other kind
   * @throws io.github.rlsm.kv.InvalidOptionsException if it has another number of shards
   * @see RlsmStore#open(Path, RlsmOptions)
   */
  public static KvStore open(Path directory, RlsmOptions options) {
    Objects.requireNonNull(options, "options");
    return options.shards() == 0
        ? RlsmStore.open(directory, options)
        : openSharded(directory, options);
  }

  /**
   * Opens a store of several shards in a directory, and makes it if there is none. Each shard is a
   * store of its own, in a directory below, with its part of the memory budget and background
   * threads of its own.
   *
   * @param options {@link RlsmOptions#shards} says how many; 0 for as many as there are
   * @throws io.github.rlsm.kv.InvalidOptionsException if the store has another number of them, or
   *     is new and the options do not say how many
   * @see RlsmStore#open(Path, RlsmOptions)
   */
  public static ShardedStore openSharded(Path directory, RlsmOptions options) {
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(options, "options");
    options.compression().checkLibrary();
    String name = "rlsm-" + directory.getFileName();
    ShardThreads threads = new ShardThreads(
        name, options.backgroundThreads(), options.pinShards() ? options.shards() : 0);
    return ShardedStore.open(
        OsDirectory.create(directory),
        options.shards(),
        opener(directory, options, options.shards()),
        ShardSettings.DEFAULT,
        new ShardEnvironment(threads, new SecureRandom(), threads));
  }

  /**
   * Deals out a store to another number of shards, makes one of several of one without, or the
   * other way round. Nobody may have it open, and it takes the room of a second copy meanwhile. A
   * crash leaves the store as it was or as it shall be. Does nothing if the number is right
   * already.
   *
   * <p>Logs are files meanwhile. What log devices hold of a store that was not closed is taken from
   * them. Afterwards they are still claimed by the shards that were: release them, and make one for
   * each new shard, before the store is opened with {@link RlsmOptions#directLog} again.
   *
   * @param options how both are opened; {@link RlsmOptions#shards} is how many there shall be, 0
   *     for a store without
   * @return how many entries were copied
   * @throws io.github.rlsm.kv.StoreLockedException if the store is in use
   * @throws io.github.rlsm.kv.InvalidOptionsException if there is no store
   */
  public static long reshard(Path directory, RlsmOptions options) {
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(options, "options");
    options.compression().checkLibrary();
    // Both sets are open at a time.
    ShardOpener opener =
        opener(directory, options.withLogInFiles(), 2 * Math.max(1, options.shards()));
    return Resharding.run(
        OsDirectory.open(directory), options.shards(), opener, new SecureRandom());
  }

  /**
   * Opens shards below a directory, each with its part of the budget and a log device of its own.
   */
  private static ShardOpener opener(Path directory, RlsmOptions options, int share) {
    return ShardOpener.below(
        directory,
        (path, shard) -> RlsmStore.open(path, options.ofShard(share, shard)),
        (path, shard) -> prepare(path, options.ofShard(share, shard)),
        whole -> RlsmStore.open(
            whole, options.ofShard(2, 0), RlsmStore.environment(directory, options)));
  }

  private static PartLogOpening prepare(Path path, RlsmOptions options) {
    return RlsmPartLog.prepare(
        OsDirectory.create(path), options, RlsmStore.environment(path, options));
  }
}
