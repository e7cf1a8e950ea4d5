// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The health of a store: which operations it serves, why it refuses others, and how an operator can
 * help. Immutable, and cheap enough to read every second.
 *
 * @param state the operations that the store serves
 * @param cause the first error that led to the state; null if the store is healthy
 * @param waiting the background work that failed and is tried again, for example "flush"; empty
 *     unless the store is degraded
 * @param lasting how long the store has been in this state; zero if it is healthy
 * @param untilRetry when the first of the waiting work is tried again; zero if none waits or if it
 *     is being tried
 * @param remedy an instruction for the operator; empty if the store is healthy
 * @param shard the shard that is in the worst state; -1 for a store without shards, and for a state
 *     that all shards share
 */
public record StoreHealth(
    State state,
    @Nullable Throwable cause,
    List<String> waiting,
    Duration lasting,
    Duration untilRetry,
    String remedy,
    int shard) {

  /** The health of a store without failures. */
  public static final StoreHealth HEALTHY =
      new StoreHealth(State.HEALTHY, null, List.of(), Duration.ZERO, Duration.ZERO, "", -1);

  /** The operations that a store serves; a later constant is a worse state. */
  public enum State {
    /** Everything. */
    HEALTHY,
    /**
     * Some background work failed for a cause that can pass, such as a full disk. Reads go on.
     * Writes go on as long as memory and prepared files take them, and then fail with a
     * {@link ResourceExhaustedException}. The work is tried again until it succeeds; then the store
     * is healthy again. It need not be closed.
     */
    DEGRADED,
    /**
     * A write or a force failed, so the content of the device is unknown. Reads go on; every write
     * fails with a {@link StoreFailedException} until the store is closed and opened again.
     */
    READ_ONLY,
    /**
     * A batch was written to one shard and not to another. Reads and writes fail until the store is
     * closed and opened again, which leaves the batch out.
     */
    FAILED
  }

  /** Copies the list. */
  public StoreHealth {
    Objects.requireNonNull(state, "state");
    waiting = List.copyOf(waiting);
  }

  /** Whether the store can do everything. */
  public boolean isHealthy() {
    return state == State.HEALTHY;
  }

  /** The same picture, of a shard. */
  public StoreHealth ofShard(int number) {
    return new StoreHealth(state, cause, waiting, lasting, untilRetry, remedy, number);
  }
}
