// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import java.util.List;

/**
 * How shards part for good: before any of their stores is closed, all parts of batches over several
 * of them are durable, so that each may be closed without asking another. A log that cannot be
 * forced any more is left to its store, and to those that have to ask for it.
 *
 * <p>Threads: the workers, or whoever finds that there is none.
 */
final class Departure {

  private final List<PartLog> logs;
  private final Countdown arrivals;

  /** Of these shards; of none that have to wait for each other for an empty list. */
  Departure(List<PartLog> logs) {
    this.logs = logs;
    this.arrivals = new Countdown(logs.size());
  }

  /** Returns once all have done what they can. The shard's worker calls it. */
  void leave(int shard) {
    if (logs.isEmpty()) {
      return;
    }
    try {
      logs.get(shard).force();
    } catch (RuntimeException e) {
      System.getLogger(Departure.class.getName())
          .log(System.Logger.Level.DEBUG, "shard " + shard + " cannot be made durable", e);
    } finally {
      arrivals.down();
    }
    arrivals.await();
  }

  /** There is no worker to do it. */
  void absent() {
    arrivals.down();
  }
}
