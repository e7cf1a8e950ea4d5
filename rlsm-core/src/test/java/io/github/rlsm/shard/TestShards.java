// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.shard.admin.ShardOpening;
import io.github.rlsm.shard.worker.ShardSettings;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Opens sharded stores for tests. */
public final class TestShards {

  /** Small queues, and a log that is emptied at times. */
  public static final ShardSettings SETTINGS = new ShardSettings(64, 32, 1 << 20, 1_000, 64, 8);

  /** Gives every store another id. */
  private static final AtomicLong OPENED = new AtomicLong();

  private TestShards() {}

  /** Returns an environment of daemon threads; separate threads complete asynchronous calls. */
  public static ShardOpening.Services environment(long seed) {
    return new ShardOpening.Services(
        TestShards::daemon, new SplittableRandom(seed), task -> daemon(task).start());
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    return thread;
  }

  /** Creates a store over others, with a separate directory. */
  public static ShardedStore over(
      StoreDirectory directory, List<? extends KvStore> stores, ShardSettings settings) {
    return ShardOpening.open(
        directory,
        stores.size(),
        (set, shard) -> stores.get(shard),
        settings,
        environment(OPENED.incrementAndGet()));
  }

  /** As the longer form, with an empty directory. */
  static ShardedStore over(List<? extends KvStore> stores) {
    return over(new SimulatedDirectory(), stores, SETTINGS);
  }
}
