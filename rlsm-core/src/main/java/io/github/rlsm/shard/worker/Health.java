// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.worker;

import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.kv.StoreHealth;
import io.github.rlsm.kv.StoreHealth.State;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The failures that concern the shards as a whole. A failure of a single shard is handled by its
 * store.
 *
 * <p>Threads: any. A failure is set before the workers involved in it continue.
 */
public final class Health {

  private static final String REOPEN =
      "close the store, fix the cause and open the store again; no acknowledged write is lost";

  /** The cause if a change is in some shards only. */
  private final AtomicReference<@Nullable Throwable> torn = new AtomicReference<>();

  /** The cause if only reopening the store shows whether a transaction took effect. */
  private final AtomicReference<@Nullable Throwable> undecided = new AtomicReference<>();

  /**
   * Records that a change is in some shards only. Reads and writes are refused until the store is
   * reopened, which repairs the state.
   */
  public void tear(Throwable cause) {
    torn.compareAndSet(null, cause);
  }

  /**
   * Stops writes. A transaction may have taken effect or not, and reopening the store decides. A
   * write now would be ordered before that transaction.
   */
  public void stopWrites(Throwable cause) {
    undecided.compareAndSet(null, cause);
  }

  /** Throws if no operation is allowed. */
  public void checkReads() {
    check(torn.get());
  }

  /** Throws if writes are not allowed. */
  public void checkWrites() {
    check(torn.get());
    check(undecided.get());
  }

  /** Returns the health of the shards as a whole, apart from the health of each shard. */
  public StoreHealth storeHealth() {
    Throwable worst = torn.get();
    State state = State.FAILED;
    if (worst == null) {
      worst = undecided.get();
      state = State.READ_ONLY;
    }
    return worst == null
        ? StoreHealth.HEALTHY
        : new StoreHealth(state, worst, StoreHealth.Retry.NONE, Duration.ZERO, REOPEN, -1);
  }

  private static void check(@Nullable Throwable cause) {
    if (cause != null) {
      throw new StoreFailedException(cause);
    }
  }
}
