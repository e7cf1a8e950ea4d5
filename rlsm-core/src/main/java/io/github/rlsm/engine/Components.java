// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.log.PublishedSeqno;
import io.github.rlsm.log.SegmentFiles;
import io.github.rlsm.log.ValueLog;
import io.github.rlsm.memory.MembufferArrays;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.memory.MemoryShape;
import io.github.rlsm.memory.SnapshotRegistry;
import io.github.rlsm.read.View;
import io.github.rlsm.version.PinCount;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The memory components: begins them, has them drained, and takes their log and arrays back when
 * they are flushed and nobody reads them any more.
 *
 * <p>Threads: any.
 */
final class Components {

  /** Empty arrays kept for later; each takes about 24 bytes for an entry of capacity. */
  private static final int SPARE_MAX = 2;

  private final SegmentFiles segments;
  private final ValueLog values;
  private final PublishedSeqno published;
  private final SnapshotRegistry snapshots;
  private final MemoryShape shape;
  private final Scheduler scheduler;
  private final Views views;
  private final Deque<MembufferArrays> spare = new ArrayDeque<>(); // guarded by itself

  Components(
      SegmentFiles segments,
      ValueLog values,
      PublishedSeqno published,
      SnapshotRegistry snapshots,
      MemoryShape shape,
      Scheduler scheduler,
      Views views) {
    this.segments = segments;
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

  /** Begins the component of a fresh generation, with room for at least so many entries. */
  MemoryComponent begin(LogGeneration generation, int entriesMin) {
    values.add(generation);
    int capacity = Math.max(shape.capacity(), entriesMin);
    MembufferArrays arrays = capacity == shape.capacity() ? takeSpare() : null;
    MemoryComponent component =
        new MemoryComponent(generation, published, snapshots, shape.withCapacity(capacity), arrays);
    views.push(component);
    return component;
  }

  private MembufferArrays takeSpare() {
    synchronized (spare) {
      MembufferArrays arrays = spare.pollFirst();
      if (arrays != null) {
        return arrays;
      }
    }
    return MembufferArrays.forCapacity(shape.capacity());
  }

  /** Makes sure that the next component, and its generation, find what they need. */
  void prepare() {
    segments.prepare();
    synchronized (spare) {
      if (!spare.isEmpty()) {
        return;
      }
    }
    MembufferArrays arrays = MembufferArrays.forCapacity(shape.capacity());
    synchronized (spare) {
      spare.addLast(arrays);
    }
  }

  /** Takes back what a flushed component used, once nobody reads it any more. */
  void recycle(MemoryComponent component) {
    segments.recycle(component.log());
    MembufferArrays arrays = component.arrays();
    if (arrays.capacity() == shape.capacity()) {
      arrays.clear();
      synchronized (spare) {
        if (spare.size() < SPARE_MAX) {
          spare.addLast(arrays);
        }
      }
    }
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
      } finally {
        view.unpin(stripe);
      }
    }
  }

  /** How many components wait for their flush. */
  int sealedCount() {
    return views.memory().size() - 1;
  }

  /** Bytes of records in components that wait for their flush. */
  long sealedBytes() {
    List<MemoryComponent> all = views.memory();
    return all.stream()
        .skip(1)
        .mapToLong(component -> component.log().recordBytes())
        .sum();
  }
}
