// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A partition with its real contents. Not thread-safe. */
final class ModelPartition {

  private final KeyRange range;
  private final List<ModelRun> runs;
  private final PartitionShape shape;

  ModelPartition(KeyRange range, List<ModelRun> runs, ModelSizes sizes) {
    this.range = range;
    this.runs = runs.stream().filter(run -> run.keys().length > 0).toList();
    this.shape = new PartitionShape(range, shapes(sizes));
  }

  /** Counts exactly the entries that newer runs shadow. */
  private List<RunShape> shapes(ModelSizes sizes) {
    ArrayDeque<RunShape> shapes = new ArrayDeque<>();
    int[] newer = new int[0];
    for (int i = runs.size() - 1; i >= 0; i--) {
      int[] keys = runs.get(i).keys();
      int[] union = union(newer, keys);
      shapes.addFirst(runs.get(i).shape(sizes, (long) newer.length + keys.length - union.length));
      newer = union;
    }
    return new ArrayList<>(shapes);
  }

  private static int[] union(int[] a, int[] b) {
    int[] union = new int[a.length + b.length];
    int count = 0;
    int i = 0;
    int j = 0;
    while (i < a.length || j < b.length) {
      int next = j == b.length || (i < a.length && a[i] <= b[j]) ? a[i] : b[j];
      i += i < a.length && a[i] == next ? 1 : 0;
      j += j < b.length && b[j] == next ? 1 : 0;
      union[count++] = next;
    }
    return Arrays.copyOf(union, count);
  }

  KeyRange range() {
    return range;
  }

  List<ModelRun> runs() {
    return runs;
  }

  PartitionShape shape() {
    return shape;
  }
}
