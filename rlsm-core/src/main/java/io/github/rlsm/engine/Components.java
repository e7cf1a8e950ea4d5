// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.log.PublishedSeqno;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.memory.MemoryShape;
import io.github.rlsm.memory.SnapshotRegistry;
import io.github.rlsm.read.ReadState;
import io.github.rlsm.thread.Scheduler;
import io.github.rlsm.valuelog.ValueLog;
import io.github.rlsm.versionset.PinCount;
import java.util.List;

/**
 * Creates memory components, publishes them in the views, and drains them.
 *
 * <p>Threads: any.
 */
final class Components {

  private final GenerationPool generationPool;
  private final ValueLog values;
  private final PublishedSeqno published;
  private final SnapshotRegistry snapshots;
  private final MemoryShape shape;
  private final Scheduler scheduler;
  private final ReadStates readStates;

  Components(
      GenerationPool generationPool,
      ValueLog values,
      PublishedSeqno published,
      SnapshotRegistry snapshots,
      MemoryShape shape,
      Scheduler scheduler,
      ReadStates readStates) {
    this.generationPool = generationPool;
    this.values = values;
    this.published = published;
    this.snapshots = snapshots;
    this.shape = shape;
    this.scheduler = scheduler;
    this.readStates = readStates;
  }

  /** Publishes a component that recovery built. */
  void adopt(MemoryComponent recovered) {
    values.add(recovered.log());
    readStates.push(recovered);
  }

  /** Creates and publishes the first active component. */
  MemoryComponent first(LogGeneration generation) {
    MemoryComponent component = make(generation, 0);
    readStates.push(component);
    return component;
  }

  /**
   * Creates the component of a new generation, with room for at least {@code entriesMin} entries.
   */
  MemoryComponent make(LogGeneration generation, int entriesMin) {
    values.add(generation);
    MemoryShape own = shape.withCapacity(Math.max(shape.capacity(), entriesMin));
    return new MemoryComponent(
        generation, published, snapshots, own, generationPool.take(own.capacity()));
  }

  /**
   * Publishes a component as the newest.
   *
   * @param begin starts its generation; runs just before the publication, when no other step can
   *     fail
   */
  void show(MemoryComponent component, Runnable begin) {
    readStates.push(component, begin);
  }

  /** Drops a generation whose component will not be published. Allocates nothing. */
  void drop(LogGeneration generation) {
    values.drop(generation);
  }

  /** Records a written entry, and schedules a drain once per batch of entries. */
  void written(MemoryComponent component, int entry) {
    if (entry % shape.drainBatch() == shape.drainBatch() - 1 && component.wantsDraining()) {
      scheduler.compact(() -> drain(component));
    }
  }

  /** Drains a component unless it has been flushed. */
  private void drain(MemoryComponent component) {
    int stripe = PinCount.stripe();
    ReadState state = readStates.pinOrNull(stripe);
    if (state != null) {
      try {
        if (state.memory().contains(component)) {
          component.drain();
        }
      } catch (StoreIoException e) {
        // A page of the log cannot be read. Every read of the component in key order reports the
        // error.
      } finally {
        state.unpin(stripe);
      }
    }
  }

  /** Returns the number of components that wait for their flush. */
  int sealedCount() {
    return readStates.memory().size() - 1;
  }

  /**
   * Returns the unflushed data in components: one for each sealed component, however full it was,
   * plus the fill fraction of the active one. Writers stop when another component would exceed the
   * maximum.
   */
  double backlog() {
    List<MemoryComponent> memory = readStates.memory();
    MemoryComponent front = memory.get(0);
    double entries = (double) front.claimedEntries() / front.capacity();
    return memory.size() - 1 + Math.min(1, Math.max(entries, front.log().fill()));
  }
}
