// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.kv.KvStore;
import io.github.rlsm.os.OsDirectory;
import io.github.rlsm.shard.ShardedStore;
import io.github.rlsm.shard.admin.Resharding;
import io.github.rlsm.shard.admin.ShardOpener;
import io.github.rlsm.shard.admin.ShardOpening;
import io.github.rlsm.shard.parts.PartLog;
import io.github.rlsm.shard.worker.ShardSettings;
import io.github.rlsm.thread.ShardThreads;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * Opens stores. One process at a time may open a directory. Any number of its threads may share the
 * store.
 *
 * <pre>{@code
 * try (KvStore store = Rlsm.open(Path.of("data"))) {
 *   store.put(key, value);
 *   byte[] found = store.get(key);
 * }
 * }</pre>
 *
 * <p>A store has shards if {@link RlsmOptions.Builder#shards} asks for them. Every method of
 * {@link KvStore} has the same meaning with shards and without them.
 *
 * <p>Threads: any.
 */
public final class Rlsm {

  private Rlsm() {}

  /** As {@link #open(Path, RlsmOptions)}, with the default options. */
  public static KvStore open(Path directory) {
    return open(directory, RlsmOptions.defaults());
  }

  /**
   * Opens the store in a directory. Creates a missing directory or store, with the number of shards
   * that the options give. After a crash, this recovers every write that was promised to survive.
   * Recovery time depends on the unflushed data, at most a few log segments for each shard, and not
   * on the size of the store.
   *
   * @throws io.github.rlsm.kv.StoreLockedException if the directory is in use
   * @throws io.github.rlsm.kv.FormatVersionException if the directory holds other data, a store of
   *     a newer format, or a store with shards where the options ask for none, or the reverse
   * @throws io.github.rlsm.kv.InvalidOptionsException if the options do not fit the store on disk,
   *     for example if it has another number of shards, or need a library that is not on the class
   *     path
   * @throws io.github.rlsm.kv.CorruptionException if the store is damaged on disk
   * @throws io.github.rlsm.kv.StoreIoException if the operating system refuses, for example because
   *     of missing permission
   */
  public static KvStore open(Path directory, RlsmOptions options) {
    Objects.requireNonNull(options, "options");
    return options.shards() == 0
        ? RlsmStore.open(directory, options)
        : openSharded(directory, options);
  }

  /**
   * Opens a store with shards. Each shard is a complete store in a subdirectory, with its share of
   * the memory budget and its background threads. The number of shards 0 means the existing number.
   */
  static ShardedStore openSharded(Path directory, RlsmOptions options) {
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(options, "options");
    EngineSettingsOf.compression(options).checkLibrary();
    ShardThreads threads = new ShardThreads(
        RlsmStore.threadPrefix(directory),
        options.backgroundThreads(),
        options.pinShards() ? options.shards() : 0);
    return ShardOpening.open(
        OsDirectory.create(directory),
        options.shards(),
        opener(directory, options, options.shards()),
        ShardSettings.DEFAULT,
        new ShardOpening.Services(threads, new SecureRandom(), threads));
  }

  /**
   * Returns the number of shards of the store in an existing directory: 0 for a store without
   * shards, empty if there is no store. The store may be open.
   *
   * @throws io.github.rlsm.kv.CorruptionException if the file with the number is damaged
   * @throws io.github.rlsm.kv.FormatVersionException if the store has a newer format
   * @throws io.github.rlsm.kv.StoreIoException if the directory cannot be read
   */
  public static OptionalInt shardCount(Path directory) {
    Objects.requireNonNull(directory, "directory");
    return Resharding.shards(OsDirectory.open(directory));
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
    EngineSettingsOf.compression(options).checkLibrary();
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

  private static PartLog.Opening prepare(Path path, RlsmOptions options) {
    return RlsmPartLog.prepare(
        OsDirectory.create(path), options, RlsmStore.environment(path, options));
  }
}
