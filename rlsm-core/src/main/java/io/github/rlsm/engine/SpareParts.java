// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.log.SegmentFiles;
import io.github.rlsm.log.ValueLog;
import io.github.rlsm.memory.MembufferArrays;
import io.github.rlsm.memory.MemoryComponent;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * What a memory component is made of, kept ready for the next one: the segments of its generation
 * and the large arrays of its Membuffer. Made in the background, ahead of time, and taken back from
 * components that are flushed and no longer read.
 *
 * <p>Threads: any.
 */
final class SpareParts {

  /** Empty arrays kept for later; each takes about 24 bytes for an entry of capacity. */
  private static final int SPARE_MAX = 2;

  private final SegmentFiles segments;
  private final ValueLog values;
  private final int capacity;
  private final Deque<MembufferArrays> arrays = new ArrayDeque<>(); // guarded by itself

  SpareParts(SegmentFiles segments, ValueLog values, int capacity) {
    this.segments = segments;
    this.values = values;
    this.capacity = capacity;
  }

  /** Makes sure that the next component finds what it needs. */
  void prepare() {
    segments.prepare();
    synchronized (arrays) {
      if (!arrays.isEmpty()) {
        return;
      }
    }
    keep(MembufferArrays.forCapacity(capacity));
  }

  /** Lets go of what a store that is not busy has no use for. */
  void trim() {
    segments.trim();
  }

  /** Empty arrays of that capacity, if there are any ready. */
  @Nullable
  MembufferArrays take(int wanted) {
    synchronized (arrays) {
      return wanted == capacity ? arrays.pollFirst() : null;
    }
  }

  /** Takes back what a flushed component used. */
  void recycle(MemoryComponent component) {
    try {
      values.leftMemory(component.log());
    } finally {
      segments.recycle(component.log());
    }
    MembufferArrays used = component.arrays();
    if (used.capacity() == capacity) {
      used.clear();
      keep(used);
    }
  }

  private void keep(MembufferArrays empty) {
    synchronized (arrays) {
      if (arrays.size() < SPARE_MAX) {
        arrays.addLast(empty);
      }
    }
  }
}
