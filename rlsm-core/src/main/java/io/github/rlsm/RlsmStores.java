// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.io.OsDirectory;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.shard.ShardedStore;
import io.github.rlsm.shard.admin.Resharding;
import io.github.rlsm.shard.admin.ShardEnvironment;
import io.github.rlsm.shard.admin.ShardOpener;
import io.github.rlsm.shard.admin.ShardOpening;
import io.github.rlsm.shard.parts.PartLogOpening;
import io.github.rlsm.shard.worker.ShardSettings;
import io.github.rlsm.thread.ShardThreads;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Objects;

/** Opens stores, with shards or without. Threads: any. */
public final class RlsmStores {

  private RlsmStores() {}

  /**
   * Opens a store with the number of shards that {@link RlsmOptions#shards} gives, or without
   * shards. Creates a missing store.
   *
   * @throws io.github.rlsm.kv.FormatVersionException if the directory holds a store of the other
   *     kind
   * @throws io.github.rlsm.kv.InvalidOptionsException if the store has another number of shards
   * @see RlsmStore#open(Path, RlsmOptions)
   */
  public static KvStore open(Path directory, RlsmOptions options) {
    Objects.requireNonNull(options, "options");
    return options.shards() == 0
        ? RlsmStore.open(directory, options)
        : openSharded(directory, options);
  }

  /**
   * Opens a store with shards in a directory. Creates a missing store. Each shard is a complete
   * store in a subdirectory, with its share of the memory budget and its background threads.
   *
   * @param options {@link RlsmOptions#shards} gives the number of shards; 0 keeps the existing
   *     number
   * @throws io.github.rlsm.kv.InvalidOptionsException if the store has another number of shards, or
   *     is new and the options do not give the number
   * @see RlsmStore#open(Path, RlsmOptions)
   */
  public static ShardedStore openSharded(Path directory, RlsmOptions options) {
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(options, "options");
    options.compression().checkLibrary();
    String name = "rlsm-" + directory.getFileName();
    ShardThreads threads = new ShardThreads(
        name, options.backgroundThreads(), options.pinShards() ? options.shards() : 0);
    return ShardOpening.open(
        OsDirectory.create(directory),
        options.shards(),
        opener(directory, options, options.shards()),
        ShardSettings.DEFAULT,
        new ShardEnvironment(threads, new SecureRandom(), threads));
  }

  /**
   * Changes the number of shards of a store. Also converts between a store with shards and one
   * without. The store must be closed. The change needs disk space for a second copy. A crash
   * leaves either the old store or the new one. Does nothing if the number is already right.
   *
   * <p>The logs of both stores are in files during the change. If the store was not closed, its
   * data on log devices is recovered from there. The log devices remain claimed by the old shards.
   * Before opening the store with {@link RlsmOptions#directLog}, release them and initialise one
   * for each new shard.
   *
   * @param options the options of both stores; {@link RlsmOptions#shards} gives the new number, 0
   *     for a store without shards
   * @return the number of entries copied
   * @throws io.github.rlsm.kv.StoreLockedException if the store is in use
   * @throws io.github.rlsm.kv.InvalidOptionsException if the directory holds no store
   */
  public static long reshard(Path directory, RlsmOptions options) {
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(options, "options");
    options.compression().checkLibrary();
    // The old and the new set of shards are open at the same time.
    ShardOpener opener =
        opener(directory, options.withLogInFiles(), 2 * Math.max(1, options.shards()));
    return Resharding.run(
        OsDirectory.open(directory), options.shards(), opener, new SecureRandom());
  }

  /**
   * Opens shards in subdirectories, each with its share of the memory budget and a separate log
   * device.
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
