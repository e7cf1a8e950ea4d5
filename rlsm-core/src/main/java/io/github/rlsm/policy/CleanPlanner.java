// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.policy.CleanPlan.Reason;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides when runs of a partition are rewritten as one, and which.
 *
 * <p>Always neighbours in the list: if a run between two others stayed behind, it would have to be
 * both older and newer than their union.
 *
 * <p><b>Garbage.</b> When the {@linkplain PartitionShape#garbageFraction share} of shadowed entries
 * and tombstones is over {@code deadFractionMax}, the shortest suffix is rewritten that brings it
 * to half of that. A suffix, since what shadows an entry is always newer.
 *
 * <p><b>Runs.</b> When more than {@code runCountMax} runs may hold one key, or the partition has
 * more than {@value #FRAGMENTS_PER_RUN} times as many runs in all, {@link RunTiers} says which
 * neighbours become one.
 *
 * <p><b>Links.</b> A run that links a table of which little else is used is rewritten, alone or
 * with neighbours of like size, to free the table's file; {@link CleanPicker} says when.
 *
 * <p><b>Tombstones</b> may go if no run older than the rewritten ones, in this partition, has a
 * span that intersects theirs. L1 is the last level, no other partition holds these keys, and L0
 * holds only newer versions of them; so nothing is left that the tombstone could hide.
 */
public final class CleanPlanner {

  private static final int FRAGMENTS_PER_RUN = 4;

  private final PolicySettings settings;

  /** Plans by some settings. */
  public CleanPlanner(PolicySettings settings) {
    this.settings = settings;
  }

  /**
   * How far a partition is past its thresholds: not above 0 if nothing is due, 1 for twice too many
   * runs or for nothing but garbage.
   */
  public double urgency(PartitionShape partition) {
    double limit = settings.deadFractionMax();
    double garbage = (partition.garbageFraction() - limit) / (1 - limit);
    return Math.max(garbage, runUrgency(partition));
  }

  private double runUrgency(PartitionShape partition) {
    double depth = partition.depth();
    double runs = partition.runs().size();
    return Math.max(depth / settings.runCountMax(), runs / fragmentCountMax()) - 1;
  }

  /** What is to be rewritten in a partition; empty if nothing is due. */
  public Optional<CleanPlan> plan(PartitionShape partition) {
    if (partition.garbageFraction() > settings.deadFractionMax()) {
      return Optional.of(collect(partition));
    }
    if (runUrgency(partition) <= 0) {
      return Optional.empty();
    }
    BitSet counted = Overlap.deepest(partition.runs());
    int slots = settings.runCountMax();
    if (partition.depth() <= slots) {
      counted.set(0, partition.runs().size());
      slots *= FRAGMENTS_PER_RUN;
    }
    RunTiers.Choice choice = RunTiers.choose(partition.runs(), counted, slots);
    return Optional.of(rewrite(partition, choice.from(), choice.to(), Reason.RUNS));
  }

  /**
   * The rewrite of neighbours that saves most of the runs over one key for its bytes, be it due or
   * not. The power of {@link #cost} favours few large rewrites over many small ones that are a
   * little cheaper by themselves.
   */
  CleanPlan forScans(PartitionShape partition, BitSet deepest) {
    List<RunShape> runs = partition.runs();
    int bestFrom = 0;
    int bestTo = 0;
    double bestCost = Double.POSITIVE_INFINITY;
    for (int from = 0; from < runs.size(); from++) {
      double sum = 0;
      int saved = -1;
      for (int to = from + 1; to <= runs.size(); to++) {
        sum += runs.get(to - 1).bytes();
        saved += deepest.get(to - 1) ? 1 : 0;
        if (saved > 0 && cost(sum, saved) <= bestCost) {
          bestFrom = from;
          bestTo = to;
          bestCost = cost(sum, saved);
        }
      }
    }
    return rewrite(partition, bestFrom, bestTo, Reason.SCANS);
  }

  /** The rewrite of all runs, which meets every dead value and leaves no garbage. */
  static CleanPlan whole(PartitionShape partition, Reason reason) {
    return rewrite(partition, 0, partition.runs().size(), reason);
  }

  /**
   * The move of values out of some segments: from the oldest run that has any there to the newest,
   * since what shadows an entry is always newer.
   *
   * @param from index of the oldest run with such values
   * @param onTop see {@link CleanPlan}
   */
  static CleanPlan moving(
      PartitionShape partition, int from, Set<Integer> segments, Reason reason, boolean onTop) {
    List<RunShape> runs = partition.runs();
    boolean drops = dropsTombstones(runs, from, runs.size());
    return new CleanPlan(partition, from, runs.size(), drops, reason, segments, onTop);
  }

  private double fragmentCountMax() {
    return (double) FRAGMENTS_PER_RUN * settings.runCountMax();
  }

  private CleanPlan collect(PartitionShape partition) {
    List<RunShape> runs = partition.runs();
    double entriesLeft = partition.entries();
    double deadLeft = runs.stream().mapToLong(RunShape::deadEntries).sum();
    double tombstonesBelow = runs.stream().mapToLong(RunShape::tombstones).sum();
    double tombstonesHere = 0;
    int from = runs.size();
    boolean drops;
    double garbage;
    do {
      RunShape run = runs.get(--from);
      entriesLeft -= run.deadEntries();
      deadLeft -= run.deadEntries();
      tombstonesBelow -= run.tombstones();
      tombstonesHere += run.tombstones();
      drops = dropsTombstones(runs, from, runs.size());
      double kept = drops ? entriesLeft - tombstonesHere : entriesLeft;
      double garbageLeft = deadLeft + tombstonesBelow + (drops ? 0 : tombstonesHere);
      garbage = garbageLeft == 0 ? 0 : garbageLeft / Math.max(1, kept);
    } while (from > 0 && garbage > settings.deadFractionMax() / 2);
    return new CleanPlan(partition, from, runs.size(), drops, Reason.GARBAGE);
  }

  /**
   * The rewrite that frees a partition from a link, together with neighbours where that saves runs
   * for little more.
   *
   * @param run index of the run that is a link
   */
  CleanPlan unlink(PartitionShape partition, int run) {
    List<RunShape> runs = partition.runs();
    int bestFrom = run;
    int bestTo = run + 1;
    double bestCost = Double.POSITIVE_INFINITY;
    for (int from = run; from >= 0; from--) {
      double sum = bytes(runs.subList(from, run));
      for (int to = run + 1; to <= runs.size(); to++) {
        sum += runs.get(to - 1).bytes();
        double cost = cost(sum, to - from);
        if (cost < bestCost) {
          bestFrom = from;
          bestTo = to;
          bestCost = cost;
        }
      }
    }
    return rewrite(partition, bestFrom, bestTo, Reason.LINKS);
  }

  private static double cost(double bytes, int saved) {
    return bytes / (saved * Math.sqrt(saved));
  }

  private static double bytes(List<RunShape> runs) {
    return runs.stream().mapToLong(RunShape::bytes).sum();
  }

  private static CleanPlan rewrite(PartitionShape partition, int from, int to, Reason reason) {
    return new CleanPlan(partition, from, to, dropsTombstones(partition.runs(), from, to), reason);
  }

  private static boolean dropsTombstones(List<RunShape> runs, int from, int to) {
    KeyRange hull = null;
    for (RunShape run : runs.subList(from, to)) {
      hull = Ranges.hull(hull, run.span());
    }
    KeyRange rewritten = hull == null ? Ranges.EMPTY : hull;
    return runs.subList(0, from).stream().noneMatch(run -> run.span().intersects(rewritten));
  }
}
