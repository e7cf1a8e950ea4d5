// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.kv.StoreHealth;
import io.github.rlsm.kv.StoreHealth.State;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What the shards may still do, as one. A shard that fails by itself is its own store's affair.
 *
 * <p>Threads: any. Who sets a failure does so before the workers that were part of it go on.
 */
final class Health {

  private static final String REOPEN =
      "close the store, mend the cause and open the store again; every acknowledged write is there";

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

  /** The health of the shards as a whole, apart from the health of each shard. */
  StoreHealth picture() {
    Throwable worst = torn.get();
    State state = State.FAILED;
    if (worst == null) {
      worst = undecided.get();
      state = State.READ_ONLY;
    }
    return worst == null
        ? StoreHealth.HEALTHY
        : new StoreHealth(state, worst, List.of(), Duration.ZERO, Duration.ZERO, REOPEN, -1);
  }

  private static void check(@Nullable Throwable cause) {
    if (cause != null) {
      throw new StoreFailedException(cause);
    }
  }
}
