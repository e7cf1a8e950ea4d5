// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.log.PublishedSeqno;
import io.github.rlsm.log.ValueLog;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.memory.MemoryShape;
import io.github.rlsm.memory.SnapshotRegistry;
import io.github.rlsm.read.View;
import io.github.rlsm.version.PinCount;
import java.util.List;

/**
 * Begins memory components, shows them in the views, and has them drained.
 *
 * <p>Threads: any.
 */
final class Components {

  private final SpareParts spareParts;
  private final ValueLog values;
  private final PublishedSeqno published;
  private final SnapshotRegistry snapshots;
  private final MemoryShape shape;
  private final Scheduler scheduler;
  private final Views views;

  Components(
      SpareParts spareParts,
      ValueLog values,
      PublishedSeqno published,
      SnapshotRegistry snapshots,
      MemoryShape shape,
      Scheduler scheduler,
      Views views) {
    this.spareParts = spareParts;
    this.values = values;
    this.published = published;
    this.snapshots = snapshots;
    this.shape = shape;
    this.scheduler = scheduler;
    this.views = views;
  }

  /** Shows a component that recovery built. */
  void adopt(MemoryComponent recovered) {
    values.add(recovered.log());
    views.push(recovered);
  }

  /** Begins the first component that is written to. */
  MemoryComponent first(LogGeneration generation) {
    MemoryComponent component = make(generation, 0);
    views.push(component);
    return component;
  }

  /** Makes the component of a fresh generation, with room for at least so many entries. */
  MemoryComponent make(LogGeneration generation, int entriesMin) {
    values.add(generation);
    MemoryShape own = shape.withCapacity(Math.max(shape.capacity(), entriesMin));
    return new MemoryComponent(
        generation, published, snapshots, own, spareParts.take(own.capacity()));
  }

  /**
   * Shows a component to readers, before all others.
   *
   * @param begin begins its generation; run just before it is shown, when nothing else can fail
   */
  void show(MemoryComponent component, Runnable begin) {
    views.push(component, begin);
  }

  /** The component of a generation will not be shown. Allocates nothing. */
  void drop(LogGeneration generation) {
    values.drop(generation);
  }

  /** An entry was written; every so often that is a reason to drain. */
  void written(MemoryComponent component, int entry) {
    if (entry % shape.drainBatch() == shape.drainBatch() - 1 && component.wantsDraining()) {
      scheduler.compact(() -> drain(component));
    }
  }

  /** Drains a component if it is still there. */
  private void drain(MemoryComponent component) {
    int stripe = PinCount.stripe();
    View view = views.pinOrNull(stripe);
    if (view != null) {
      try {
        if (view.memory().contains(component)) {
          component.drain();
        }
      } catch (StoreIoException e) {
        // A page of the log cannot be read. Every read of the component in key order reports it.
      } finally {
        view.unpin(stripe);
      }
    }
  }

  /** How many components wait for their flush. */
  int sealedCount() {
    return views.memory().size() - 1;
  }

  /**
   * How many components' room is taken by what is not flushed: one for each that is sealed, however
   * full it was, and what share the one that is being written to is full. Writing stops when
   * another would be needed than there may be.
   */
  double backlog() {
    List<MemoryComponent> memory = views.memory();
    MemoryComponent front = memory.get(0);
    double entries = (double) front.claimedEntries() / front.capacity();
    return memory.size() - 1 + Math.min(1, Math.max(entries, front.log().fill()));
  }
}
