// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.StoreFailedException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What the shards may still do, as one. A shard that fails by itself is its own store's affair.
 *
 * <p>Threads: any. Who sets a failure does so before the workers that were part of it go on.
 */
final class Health {

  /** Something is there in part. */
  private final AtomicReference<@Nullable Throwable> torn = new AtomicReference<>();

  /** Whether a transaction happened will be known when the store is opened again. */
  private final AtomicReference<@Nullable Throwable> undecided = new AtomicReference<>();

  /**
   * Something was done in one shard and not in another: until opening the store mends that, nobody
   * may see it.
   */
  void tear(Throwable cause) {
    torn.compareAndSet(null, cause);
  }

  /**
   * Nothing is written any more: what was written now would come before what opening the store may
   * find to have happened.
   */
  void stopWrites(Throwable cause) {
    undecided.compareAndSet(null, cause);
  }

  /** Throws if nothing may be done at all. */
  void checkReads() {
    check(torn.get());
  }

  /** Throws if nothing may be written. */
  void checkWrites() {
    check(torn.get());
    check(undecided.get());
  }

  private static void check(@Nullable Throwable cause) {
    if (cause != null) {
      throw new StoreFailedException(cause);
    }
  }
}
