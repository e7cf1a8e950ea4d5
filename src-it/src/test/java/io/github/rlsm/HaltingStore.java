// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.os.OsDirectory;
import io.github.rlsm.shard.admin.ShardOpener;
import io.github.rlsm.shard.admin.ShardOpening;
import io.github.rlsm.shard.worker.ShardSettings;
import io.github.rlsm.thread.Environment;
import io.github.rlsm.thread.ShardThreads;
import io.github.rlsm.thread.ThreadScheduler;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Opens a store that halts its process at a chosen call to the file system.
 *
 * @param haltAt number, from 1, of the file-changing call before which the process halts as if
 *     killed; the call may be in recovery, in a flush, or in any other activity
 * @param forced directory for {@link ForcedContent} of the log's segments; null for none
 */
public record HaltingStore(long haltAt, long seed, @Nullable Path forced) {

  /** Opens one store. */
  public KvStore open(Path path, RlsmOptions options) {
    return open(path, options, new AtomicLong(haltAt), seed, forced);
  }

  private static RlsmStore open(
      Path path, RlsmOptions options, AtomicLong calls, long seed, @Nullable Path forced) {
    return RlsmStore.open(files(path, calls, forced), options, environment(options, seed));
  }

  private static StoreDirectory files(Path path, AtomicLong calls, @Nullable Path forced) {
    return new HaltingDirectory(
        OsDirectory.create(path), calls, forced == null ? null : new ForcedContent(forced));
  }

  private static Environment environment(RlsmOptions options, long seed) {
    return new Environment(
        System::nanoTime,
        new SplittableRandom(seed),
        new ThreadScheduler("halting", options.backgroundThreads()));
  }

  /** Opens a store with shards. The calls of all shards share one count. */
  public KvStore openSharded(Path path, RlsmOptions options, int shards) {
    AtomicLong calls = new AtomicLong(haltAt);
    ShardThreads threads = new ShardThreads("halting", 1);
    return ShardOpening.open(
        files(path, calls, forced),
        shards,
        ShardOpener.below(
            path,
            (below, shard) -> open(
                below, options.ofShard(shards, shard), calls, seed + shard, below(path, below)),
            (below, shard) -> RlsmPartLog.prepare(
                files(below, calls, below(path, below)),
                options.ofShard(shards, shard),
                environment(options, seed + shard)),
            whole -> {
              throw new UnsupportedOperationException();
            }),
        new ShardSettings(64, 32, 1 << 20, 64 << 10, 64, 8),
        new ShardOpening.Services(threads, new SplittableRandom(seed), threads));
  }

  private @Nullable Path below(Path store, Path shard) {
    return forced == null ? null : forced.resolve(store.relativize(shard).toString());
  }
}
