// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.KvStore;

/** Opens the store of one shard, and makes it if it is not there: any kind of store will do. */
@FunctionalInterface
public interface ShardOpener {

  /**
   * Opens a shard's store. Of a store that is opened again after a crash it is expected that a
   * batch is there whole or not at all, that what is there is a beginning of what was written, and
   * that what was made durable by {@link KvStore#sync()} is among it.
   *
   * @param shard the shard's number, from 0
   */
  KvStore open(int shard);
}
