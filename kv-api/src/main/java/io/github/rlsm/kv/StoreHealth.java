// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The health of a store: the operations it serves, the cause of refusals, and the remedy.
 * Immutable, and cheap enough to read every second.
 *
 * @param state the operations that the store serves
 * @param cause the first error that led to the state; null if the store is healthy
 * @param retry the background work that failed and will be retried
 * @param lasting how long the store has been in this state; zero if it is healthy
 * @param remedy an instruction for the operator; empty if the store is healthy
 * @param shard the shard with the worst state; -1 for a store without shards, and for a state that
 *     all shards share
 */
public record StoreHealth(
    State state,
    @Nullable Throwable cause,
    Retry retry,
    Duration lasting,
    String remedy,
    int shard) {

  /** The health of a store without failures. */
  public static final StoreHealth HEALTHY =
      new StoreHealth(State.HEALTHY, null, Retry.NONE, Duration.ZERO, "", -1);

  /** The operations that a store serves. A later constant is a worse state. */
  public enum State {
    /** All operations work. */
    HEALTHY,
    /**
     * Some background work failed for a transient cause, such as a full disk. Reads work. Writes
     * work as long as memory and prepared files suffice, and then fail with a
     * {@link ResourceExhaustedException}. The store retries the work until it succeeds, and then is
     * healthy again. There is no need to close the store.
     */
    DEGRADED,
    /**
     * A write or a force failed, so the content of the device is unknown. Reads work; every write
     * fails with a {@link StoreFailedException} until the store is closed and opened again.
     */
    READ_ONLY,
    /**
     * A batch was written to one shard and not to another. Reads and writes fail until the store is
     * closed and opened again. The opening completes the batch or leaves it out.
     */
    FAILED
  }

  /**
   * The background work of a degraded store that failed and waits for a retry.
   *
   * @param waiting the kinds of work, for example "flush"; empty unless the store is degraded
   * @param untilNext time until the first retry; zero if no work waits or if a retry is running
   */
  public record Retry(List<String> waiting, Duration untilNext) {

    /** No work waits. */
    public static final Retry NONE = new Retry(List.of(), Duration.ZERO);

    /** Copies the list. */
    public Retry {
      waiting = List.copyOf(waiting);
    }
  }

  /** Refuses a missing state. */
  public StoreHealth {
    Objects.requireNonNull(state, "state");
  }

  /** Whether all operations work. */
  public boolean isHealthy() {
    return state == State.HEALTHY;
  }

  /** Returns the same health, attributed to a shard. */
  public StoreHealth ofShard(int number) {
    return new StoreHealth(state, cause, retry, lasting, remedy, number);
  }
}
