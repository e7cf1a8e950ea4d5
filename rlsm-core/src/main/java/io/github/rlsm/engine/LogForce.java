// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.log.PublishedSeqno;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.read.View;
import io.github.rlsm.version.PinCount;
import java.util.List;

/**
 * Forces the log: the segments of every generation that is not in tables yet.
 *
 * <p>Threads: one at a time, which {@link io.github.rlsm.log.DurableSeqno} sees to.
 */
final class LogForce {

  private final Views views;
  private final PublishedSeqno published;
  private final Fatal fatal;
  private final Counters counters;

  LogForce(Views views, PublishedSeqno published, Fatal fatal, Counters counters) {
    this.views = views;
    this.published = published;
    this.fatal = fatal;
    this.counters = counters;
  }

  /** Returns the seqno below which everything is durable now. */
  long force() {
    fatal.check();
    // First how far, then the view: whatever lies below is in a generation of the view or in
    // tables.
    long reached = published.get();
    int stripe = PinCount.stripe();
    View view = views.pin(stripe);
    try {
      FlightRecorder.force(() -> forceAll(view, reached));
    } catch (RuntimeException | Error e) {
      fatal.set(e);
      throw e;
    } finally {
      view.unpin(stripe);
    }
    return reached;
  }

  private void forceAll(View view, long reached) {
    List<MemoryComponent> components = view.memory();
    for (int i = components.size() - 1; i >= 0; i--) {
      if (components.get(i).log().force(reached)) {
        counters.syncs.increment();
      }
    }
  }
}
