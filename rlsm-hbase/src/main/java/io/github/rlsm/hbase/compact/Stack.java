// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.compact;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.hbase.layout.FileShape;
import io.github.rlsm.hbase.layout.Layout;
import io.github.rlsm.hbase.layout.Partition;
import io.github.rlsm.hbase.layout.RunShapes;
import io.github.rlsm.policy.CleanPlan;
import io.github.rlsm.policy.CleanPlanner;
import io.github.rlsm.policy.PartitionShape;
import io.github.rlsm.policy.RunShape;
import java.util.ArrayList;
import java.util.List;

/**
 * What lies over the rows of a partition, as the shared policy sees it: the partition's runs, and
 * above them its shares of the wide files as if they had been appended one by one. A share is what
 * a wide file would bring if its rows were spread evenly over the partitions that it touches.
 *
 * @param <F> a handle of a file
 * @param partition the partition
 * @param runs those of its runs that may be chosen
 * @param shape these and the shares
 */
record Stack<F>(Partition<F> partition, List<FileShape<F>> runs, PartitionShape shape) {

  /**
   * The stack over a partition.
   *
   * @param runs those of its runs that may be chosen
   * @param wide the wide files that may be chosen
   */
  static <F> Stack<F> of(
      Layout<F> layout, Partition<F> partition, List<FileShape<F>> runs, List<FileShape<F>> wide) {
    // In an undivided store every file counts, wherever its rows lie.
    if (layout.partitions().size() == 1) {
      List<FileShape<F>> all = new ArrayList<>(runs);
      all.addAll(wide);
      return new Stack<>(partition, runs, new PartitionShape(KeyRange.ALL, RunShapes.stacked(all)));
    }
    List<RunShape> shapes = new ArrayList<>(RunShapes.of(runs));
    for (FileShape<F> file : wide) {
      KeyRange span = file.span();
      if (span != null && span.intersects(partition.range())) {
        KeyRange here = span.intersection(partition.range());
        shapes.add(RunShapes.share(shapes.size(), here, file, layout.touched(span)));
      }
    }
    return new Stack<>(partition, runs, new PartitionShape(partition.range(), shapes));
  }

  /** The partition's own runs that should be merged; fewer than two if wide files should. */
  List<FileShape<F>> due(CleanPlanner cleans) {
    CleanPlan plan = cleans.plan(shape).orElseThrow();
    return runs.subList(Math.min(plan.fromRun(), runs.size()), Math.min(plan.toRun(), runs.size()));
  }
}
