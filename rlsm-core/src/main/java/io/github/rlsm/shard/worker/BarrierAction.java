// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.worker;

import io.github.rlsm.kv.KvStore;

/** An action of one shard at a barrier of several shards. */
@FunctionalInterface
public interface BarrierAction<T> {

  /** Runs the action in the worker of a shard. */
  T run(int shard, KvStore store);
}
