// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.policy.Plan.Compaction.Link;
import io.github.rlsm.policy.Plan.Compaction.NewRun;
import io.github.rlsm.policy.Plan.Compaction.Rewrite;
import io.github.rlsm.policy.Plan.Compaction.Slice;
import io.github.rlsm.policy.Plan.Compaction.Target;
import io.github.rlsm.policy.RunMetrics.SliceSize;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides how victims are appended to partitions: the target range of each key, and which slices
 * are linked.
 *
 * <p><b>Ranges.</b> A key in a partition's range goes to that partition. Keys in a gap between
 * partitions open a new partition, just wide enough for them, if the gap gets at least
 * {@code newRangeEntriesMin} entries or no partition exists. Otherwise they widen the adjacent
 * partition with fewer bytes, or the right one if both are equal.
 *
 * <p><b>Runs.</b> In each target the slices become runs in the victims' order. A whole victim, or a
 * slice of at least {@code linkBytesMin}, is linked. Smaller slices that are adjacent in this order
 * are merged into one rewritten run. Links never change the order: a small slice between two linked
 * slices becomes a separate run.
 */
public final class AppendPlanner {

  private final RunMetrics metrics;
  private final PolicySettings settings;

  /** Creates a planner that measures slices with {@code metrics}. */
  public AppendPlanner(RunMetrics metrics, PolicySettings settings) {
    this.metrics = metrics;
    this.settings = settings;
  }

  /**
   * The plan that moves victims into L1.
   *
   * @param victims some of the level's L0 runs, from oldest to newest, chosen by a
   *     {@link VictimPicker}
   */
  public Plan.Compaction plan(LevelShape level, List<RunShape> victims) {
    List<PartitionShape> l1 = level.l1();
    List<KeyRange> widened =
        new ArrayList<>(l1.stream().map(PartitionShape::range).toList());
    List<@Nullable KeyRange> newRanges = new ArrayList<>();
    for (int i = 0; i <= l1.size(); i++) {
      newRanges.add(placeGap(level, i, victims, widened));
    }
    List<Target> targets = new ArrayList<>();
    for (int i = 0; i <= l1.size(); i++) {
      KeyRange newRange = newRanges.get(i);
      if (newRange != null) {
        addTarget(targets, null, newRange, victims);
      }
      if (i < l1.size()) {
        addTarget(targets, l1.get(i), widened.get(i), victims);
      }
    }
    return new Plan.Compaction(victims, targets);
  }

  /**
   * The range of the partition to open in a gap. Null if the gap gets no new partition, because it
   * has no keys or because an adjacent partition was widened.
   */
  private @Nullable KeyRange placeGap(
      LevelShape level, int index, List<RunShape> victims, List<KeyRange> widened) {
    KeyRange gap = level.gap(index);
    KeyRange hull = null;
    long entries = 0;
    for (Slice slice : slices(gap, victims)) {
      hull = KeyRange.hull(hull, slice.range());
      entries += slice.size().entries();
    }
    List<PartitionShape> l1 = level.l1();
    if (hull == null || l1.isEmpty() || entries >= settings.newRangeEntriesMin()) {
      return hull;
    }
    boolean growsLeft = index == l1.size()
        || (index > 0 && l1.get(index - 1).bytes() < l1.get(index).bytes());
    int neighbour = growsLeft ? index - 1 : index;
    widened.set(neighbour, KeyRange.hull(widened.get(neighbour), hull));
    return null;
  }

  private List<Slice> slices(KeyRange range, List<RunShape> victims) {
    List<Slice> slices = new ArrayList<>();
    for (RunShape victim : victims) {
      KeyRange common = range.intersection(victim.span());
      if (common.isEmpty()) {
        continue;
      }
      SliceSize size = range.covers(victim.span())
          ? new SliceSize(victim.entries(), victim.bytes())
          : metrics.size(victim, common);
      if (size.entries() > 0) {
        slices.add(new Slice(victim, common, size));
      }
    }
    return slices;
  }

  private void addTarget(
      List<Target> targets,
      @Nullable PartitionShape partition,
      KeyRange range,
      List<RunShape> victims) {
    List<Slice> slices = slices(range, victims);
    if (!slices.isEmpty()) {
      targets.add(new Target(partition, range, runs(slices, partition == null)));
    }
  }

  /** Converts slices to runs; {@code founds} if the partition has no older run below them. */
  private List<NewRun> runs(List<Slice> slices, boolean founds) {
    List<NewRun> runs = new ArrayList<>();
    List<Slice> small = new ArrayList<>();
    for (Slice slice : slices) {
      if (slice.isWhole() || slice.size().bytes() >= settings.linkBytesMin()) {
        addRewrite(runs, small, founds);
        runs.add(new Link(slice));
      } else {
        small.add(slice);
      }
    }
    addRewrite(runs, small, founds);
    return runs;
  }

  private static void addRewrite(List<NewRun> runs, List<Slice> small, boolean founds) {
    if (!small.isEmpty()) {
      runs.add(new Rewrite(small, founds && runs.isEmpty()));
      small.clear();
    }
  }
}
