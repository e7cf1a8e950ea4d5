// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.worker;

import java.util.List;

/**
 * The shutdown barrier of shards whose logs keep parts. It makes the parts of all cross-shard
 * batches durable before any shard's store is closed. So each store can close without forcing
 * another shard's log. If a log cannot be forced, its store reports the error, and each store whose
 * promises depend on that log does, too.
 *
 * <p>Threads: the workers, or the thread that finds a worker gone.
 */
final class ShutdownBarrier {

  private final List<Runnable> forces;
  private final Countdown arrivals;

  /**
   * Creates a barrier.
   *
   * @param forces forces the log of each shard; empty if no shard has to wait for another
   */
  ShutdownBarrier(List<Runnable> forces) {
    this.forces = List.copyOf(forces);
    this.arrivals = new Countdown(forces.size());
  }

  /**
   * Forces the shard's log and returns once all shards have tried. Called by the shard's worker.
   */
  void leave(int shard) {
    if (forces.isEmpty()) {
      return;
    }
    try {
      forces.get(shard).run();
    } catch (RuntimeException e) {
      System.getLogger(ShutdownBarrier.class.getName())
          .log(System.Logger.Level.DEBUG, "cannot force the log of shard " + shard, e);
    } finally {
      arrivals.down();
    }
    arrivals.await();
  }

  /** Counts a shard whose worker is gone. */
  void absent() {
    arrivals.down();
  }
}
