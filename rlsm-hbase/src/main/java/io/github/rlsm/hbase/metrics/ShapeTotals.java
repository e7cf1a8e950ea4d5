// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.metrics;

import io.github.rlsm.hbase.metrics.StoreMetrics.Shape;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The shape of several stores together. Counts are summed. The depth is the depth of the deepest
 * store, so this class counts the stores of each depth.
 *
 * <p>Threads: one at a time; the owner has the lock.
 */
final class ShapeTotals {

  private final NavigableMap<Long, Integer> storesByDepth = new TreeMap<>();
  private Shape now = Shape.NONE;

  /** The shape of all stores; {@link Shape#NONE} without files. */
  Shape now() {
    return now;
  }

  /** Replaces the shape of one store; {@link Shape#NONE} means a store without files. */
  void replace(Shape from, Shape to) {
    count(from, -1);
    count(to, 1);
    long depth = storesByDepth.isEmpty() ? 0 : storesByDepth.lastKey();
    now = now.plus(from, -1, depth).plus(to, 1, depth);
  }

  private void count(Shape store, int sign) {
    if (!store.equals(Shape.NONE)) {
      int left = storesByDepth.merge(store.depth(), sign, Integer::sum);
      if (left == 0) {
        storesByDepth.remove(store.depth());
      }
    }
  }
}
