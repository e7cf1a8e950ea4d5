// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.background;

import io.github.rlsm.log.SegmentFiles;
import io.github.rlsm.memory.MembufferArrays;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.valuelog.ValueLog;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * A pool of the resources of memory components: the segments of a generation and the large arrays
 * of a Membuffer. Prepares them in the background, and takes them back from components that are
 * flushed and no longer read.
 *
 * <p>Threads: any.
 */
final class GenerationPool {

  /** The maximum number of pooled arrays. Each takes about 24 bytes per entry of capacity. */
  private static final int SPARE_MAX = 2;

  private final SegmentFiles segments;
  private final ValueLog values;
  private final int capacity;
  private final Deque<MembufferArrays> arrays = new ArrayDeque<>(); // guarded by itself

  GenerationPool(SegmentFiles segments, ValueLog values, int capacity) {
    this.segments = segments;
    this.values = values;
    this.capacity = capacity;
  }

  /** Prepares the resources of the next component. */
  void prepare() {
    segments.prepare();
    synchronized (arrays) {
      if (!arrays.isEmpty()) {
        return;
      }
    }
    keep(MembufferArrays.forCapacity(capacity));
  }

  /** Releases resources that only a busy store needs. */
  void trim() {
    segments.trim();
  }

  /** Returns empty arrays of that capacity, or null if the pool has none. */
  @Nullable
  MembufferArrays take(int wanted) {
    synchronized (arrays) {
      return wanted == capacity ? arrays.pollFirst() : null;
    }
  }

  /** Takes back the resources of a flushed component. */
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
