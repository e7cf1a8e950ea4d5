// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.engine.Environment;
import io.github.rlsm.engine.ShardThreads;
import io.github.rlsm.engine.ThreadScheduler;
import io.github.rlsm.io.OsDirectory;
import io.github.rlsm.shard.PartLogOpening;
import io.github.rlsm.shard.ShardEnvironment;
import io.github.rlsm.shard.ShardOpener;
import io.github.rlsm.shard.ShardSettings;
import io.github.rlsm.shard.ShardedStore;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Opens a store that halts its process at a chosen call to the file system. */
public final class HaltingStore {

  private HaltingStore() {}

  /**
   * Opens a store whose process ends, as if it were killed, just before the call with the given
   * number that changes files, counted from 1: in recovery, in a flush, wherever that is.
   */
  public static RlsmStore open(Path path, RlsmOptions options, long haltAt, long seed) {
    return open(path, options, new AtomicLong(haltAt), seed);
  }

  private static RlsmStore open(Path path, RlsmOptions options, AtomicLong calls, long seed) {
    return RlsmStore.open(
        new HaltingDirectory(OsDirectory.create(path), calls), options, environment(options, seed));
  }

  private static PartLogOpening prepare(
      Path path, RlsmOptions options, AtomicLong calls, long seed) {
    return RlsmPartLog.prepare(
        new HaltingDirectory(OsDirectory.create(path), calls), options, environment(options, seed));
  }

  private static Environment environment(RlsmOptions options, long seed) {
    return new Environment(
        System::nanoTime,
        new SplittableRandom(seed),
        new ThreadScheduler("halting", options.backgroundThreads()));
  }

  /** As {@link #open}, a store of several shards; the calls of all are counted together. */
  public static ShardedStore openSharded(
      Path path, RlsmOptions options, int shards, long haltAt, long seed) {
    AtomicLong calls = new AtomicLong(haltAt);
    ShardThreads threads = new ShardThreads("halting", 1);
    return ShardedStore.open(
        new HaltingDirectory(OsDirectory.create(path), calls),
        shards,
        ShardOpener.below(
            path,
            (below, shard) -> open(below, options.ofShard(shards, shard), calls, seed + shard),
            (below, shard) -> prepare(below, options.ofShard(shards, shard), calls, seed + shard),
            whole -> {
              throw new UnsupportedOperationException();
            }),
        new ShardSettings(64, 32, 1 << 20, 64 << 10, 64, 8),
        new ShardEnvironment(threads, new SplittableRandom(seed), threads));
  }
}
