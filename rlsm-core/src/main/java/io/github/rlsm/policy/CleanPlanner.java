// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.policy.Plan.Clean.Reason;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides when runs of a partition are rewritten as one, and which runs.
 *
 * <p>The rewritten runs are always adjacent. A run that stayed between two rewritten runs would
 * have to be both older and newer than their union.
 *
 * <p><b>Garbage.</b> A rewrite is due when the {@linkplain PartitionShape#garbageFraction share} of
 * shadowed entries and tombstones is over {@code deadFractionMax}. It takes the shortest suffix of
 * the runs that reduces the share to half of the limit. A suffix, because the entry that shadows
 * another is always newer.
 *
 * <p><b>Runs.</b> When more than {@code runCountMax} runs overlap at one key, or the partition has
 * more than {@value #FRAGMENTS_PER_RUN} times as many runs in total, {@link RunTiers} picks the
 * adjacent runs to merge.
 *
 * <p><b>Links.</b> A run that links a mostly unused table is rewritten, alone or with adjacent runs
 * of similar size, to free the table's file. {@link CleanPicker} decides when.
 *
 * <p><b>Tombstones</b> are dropped if no older run of the partition intersects the span of the
 * rewritten runs. L1 is the last level, no other partition has these keys, and L0 has only newer
 * versions of them. So the tombstone shadows nothing.
 */
public final class CleanPlanner {

  private static final int FRAGMENTS_PER_RUN = 4;

  /** The fixed cost of a rewrite for scans, added to the bytes that it reads and writes. */
  static final long CHANGE_BYTES = 1 << 20;

  private final PolicySettings settings;

  /** Creates a planner. */
  public CleanPlanner(PolicySettings settings) {
    this.settings = settings;
  }

  /**
   * How far a partition is past its thresholds: 0 or less if nothing is due; 1 at twice the allowed
   * number of runs, or if all entries are garbage.
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

  /** The rewrite of a partition; empty if nothing is due. */
  public Optional<Plan.Clean> plan(PartitionShape partition) {
    if (partition.garbageFraction() > settings.deadFractionMax()) {
      return Optional.of(collect(partition));
    }
    if (runUrgency(partition) <= 0) {
      return Optional.empty();
    }
    BitSet counted = partition.deepest();
    int slots = settings.runCountMax();
    if (partition.depth() <= slots) {
      counted.set(0, partition.runs().size());
      slots *= FRAGMENTS_PER_RUN;
    }
    RunTiers.Choice choice = RunTiers.choose(partition.runs(), counted, slots);
    return Optional.of(rewrite(partition, choice.from(), choice.to(), Reason.RUNS));
  }

  /**
   * A rewrite that makes scans faster.
   *
   * @param plan the rewrite
   * @param savedShare the share of the overlapping runs beyond the first that it saves, from 0 to 1
   */
  public record ForScans(Plan.Clean plan, double savedShare) {

    /**
     * The bytes that scans must have read in additional runs before the rewrite pays off. The
     * rewrite saves a share of them only.
     */
    public double price() {
      return CleanPlanner.price(plan) / savedShare;
    }
  }

  /**
   * The rewrite of adjacent runs that saves the most overlapping runs for its bytes, whether or not
   * a rewrite is due. The exponent in {@link #cost} favours few large rewrites over many small
   * rewrites that are slightly cheaper each. Empty if no runs overlap.
   */
  public static Optional<ForScans> forScans(PartitionShape partition) {
    if (partition.depth() < 2) {
      return Optional.empty();
    }
    BitSet deepest = partition.deepest();
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
    double saved = deepest.get(bestFrom, bestTo).cardinality() - 1;
    return Optional.of(new ForScans(
        rewrite(partition, bestFrom, bestTo, Reason.SCANS), saved / (partition.depth() - 1)));
  }

  /** The cost of a rewrite for scans: the bytes that it reads and writes, and a fixed part. */
  static double price(Plan plan) {
    return CHANGE_BYTES + 2.0 * plan.rewrittenBytes();
  }

  /** The rewrite of all runs. It finds every dead value and leaves no garbage. */
  static Plan.Clean whole(PartitionShape partition, Reason reason) {
    return rewrite(partition, 0, partition.runs().size(), reason);
  }

  /**
   * The move of values out of some segments. It reads the runs from {@code from} to the newest,
   * because the entry that shadows another is always newer.
   *
   * @param from index of the oldest run that points into the segments
   * @param move the values to move
   */
  static Plan.Clean moving(
      PartitionShape partition, int from, Reason reason, Plan.Clean.Move move) {
    List<RunShape> runs = partition.runs();
    boolean drops = dropsTombstones(runs, from, runs.size());
    return new Plan.Clean(partition, from, runs.size(), drops, reason, move);
  }

  private double fragmentCountMax() {
    return (double) FRAGMENTS_PER_RUN * settings.runCountMax();
  }

  private Plan.Clean collect(PartitionShape partition) {
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
    return new Plan.Clean(partition, from, runs.size(), drops, Reason.GARBAGE);
  }

  /**
   * The rewrite that removes a link from a partition. It includes adjacent runs if that saves runs
   * at little extra cost.
   *
   * @param run index of the linked run
   */
  Plan.Clean unlink(PartitionShape partition, int run) {
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

  private static Plan.Clean rewrite(PartitionShape partition, int from, int to, Reason reason) {
    return new Plan.Clean(partition, from, to, dropsTombstones(partition.runs(), from, to), reason);
  }

  private static boolean dropsTombstones(List<RunShape> runs, int from, int to) {
    KeyRange hull = null;
    for (RunShape run : runs.subList(from, to)) {
      hull = KeyRange.hull(hull, run.span());
    }
    KeyRange rewritten = hull == null ? KeyRange.EMPTY : hull;
    return runs.subList(0, from).stream().noneMatch(run -> run.span().intersects(rewritten));
  }

  /**
   * Selects which adjacent runs of a partition to merge when the partition has too many.
   *
   * <p><b>The binomial rule.</b> Let runs of one size, the unit, be appended one by one, and let at
   * most k runs overlap at any key. If no byte may be rewritten more than w times, the runs can
   * hold at most C(k, w) = binomial(k + w, w) units. The oldest run collects C(k, w - 1) units with
   * k slots and w - 1 rewrites, and one more rewrite makes it one run. The runs after it have k - 1
   * slots and w rewrites left. No rule that keeps k runs can do better (Bentley, Saxe 1980).
   *
   * <p>The inverse gives the decision. Take a run of C(k, w) units with k slots for it and all
   * newer runs. It is due when the newer runs have grown to C(k - 1, w + 1) units, which is k / (w
   * + 1) of its own size. So an old run is rewritten earlier if it has fewer slots, and less often
   * if its size justifies fewer rewrites.
   *
   * <p>The class keeps no state between two decisions: w follows from a run's size in units, k from
   * its position in the list, and the unit is the newest run. The oldest run that is due is
   * rewritten together with all newer runs. If sizes are irregular and no run is due, the run that
   * is closest to due is rewritten.
   *
   * <p><b>Runs out of order.</b> Splits and merges of partitions leave small old runs below larger
   * new runs, which the rule itself never produces. If adjacent runs together are no larger than
   * the next newer run, they are rewritten instead, provided that this costs less for each run
   * saved.
   */
  private static final class RunTiers {

    /** Slices of one compaction vary in size; a run this close to due counts as due. */
    private static final double DUE = 0.999;

    private final List<RunShape> runs;
    private final BitSet counted;

    private RunTiers(List<RunShape> runs, BitSet counted) {
      this.runs = runs;
      this.counted = counted;
    }

    /**
     * A range of adjacent runs.
     *
     * @param from index of the oldest run
     * @param to index after the newest run
     * @param price bytes rewritten for each run saved
     */
    record Choice(int from, int to, double price) {}

    /**
     * Chooses the runs to rewrite.
     *
     * @param runs from oldest to newest
     * @param counted the runs whose number is to be reduced, at least two
     * @param slots the allowed number of these runs
     */
    static Choice choose(List<RunShape> runs, BitSet counted, int slots) {
      RunTiers tiers = new RunTiers(runs, counted);
      Choice suffix = tiers.suffix(slots);
      Choice outweighed = tiers.outweighed();
      return outweighed != null && outweighed.price < suffix.price ? outweighed : suffix;
    }

    private Choice suffix(int slots) {
      int at = counted.length() - 1;
      double unit = Math.max(1, bytes(at));
      double newer = bytes(at, runs.size());
      int saved = 0;
      Choice best = null;
      double bestShare = -1;
      for (int older = at; (older = counted.previousSetBit(older - 1)) >= 0; at = older) {
        newer += bytes(older + 1, at);
        saved++;
        double own = Math.max(1, bytes(older));
        int slotsLeft = Math.max(1, slots - (counted.cardinality() - 1 - saved));
        double share = newer / own * (rewrites(own / unit, slotsLeft) + 1) / slotsLeft;
        newer += own;
        if (share >= DUE || share >= bestShare) {
          best = new Choice(older, runs.size(), newer / saved);
          bestShare = share;
        }
      }
      if (best == null) {
        throw new IllegalArgumentException(
            counted.cardinality() + " runs are counted, but a merge needs at least 2");
      }
      return best;
    }

    private @Nullable Choice outweighed() {
      Choice best = null;
      for (int from = 0; from < runs.size(); from++) {
        double sum = 0;
        int saved = -1;
        for (int to = from + 1; to < runs.size(); to++) {
          sum += bytes(to - 1);
          saved += counted.get(to - 1) ? 1 : 0;
          if (saved > 0 && sum <= bytes(to) && (best == null || sum / saved <= best.price)) {
            best = new Choice(from, to, sum / saved);
          }
        }
      }
      return best;
    }

    private double bytes(int run) {
      return runs.get(run).bytes();
    }

    private double bytes(int from, int to) {
      return runs.subList(from, to).stream().mapToLong(RunShape::bytes).sum();
    }

    /**
     * The w for which binomial(slots + w, w) equals a number of units, interpolated between
     * integers.
     */
    static double rewrites(double units, int slots) {
      if (slots == 1) {
        return Math.max(0, units - 1);
      }
      double w = 0;
      double held = 1;
      double next = slots + 1.0;
      while (next <= units) {
        w++;
        held = next;
        next = held * (slots + w + 1) / (w + 1);
      }
      return w + Math.log(Math.max(1, units / held)) / Math.log(next / held);
    }
  }
}
