// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Selects which adjacent runs of a partition to merge when the partition has too many.
 *
 * <p><b>The binomial rule.</b> Let runs of one size, the unit, be appended one by one, and let at
 * most k runs overlap at any key. If no byte may be rewritten more than w times, the runs can hold
 * at most C(k, w) = binomial(k + w, w) units. The oldest run collects C(k, w - 1) units with k
 * slots and w - 1 rewrites, and one more rewrite makes it one run. The runs after it have k - 1
 * slots and w rewrites left. No rule that keeps k runs can do better (Bentley, Saxe 1980).
 *
 * <p>The inverse gives the decision. Take a run of C(k, w) units with k slots for it and all newer
 * runs. It is due when the newer runs have grown to C(k - 1, w + 1) units, which is k / (w + 1) of
 * its own size. So an old run is rewritten earlier if it has fewer slots, and less often if its
 * size justifies fewer rewrites.
 *
 * <p>The class keeps no state between two decisions: w follows from a run's size in units, k from
 * its position in the list, and the unit is the newest run. The oldest run that is due is rewritten
 * together with all newer runs. If sizes are irregular and no run is due, the run that is closest
 * to due is rewritten.
 *
 * <p><b>Runs out of order.</b> Splits and merges of partitions leave small old runs below larger
 * new runs, which the rule itself never produces. If adjacent runs together are no larger than the
 * next newer run, they are rewritten instead, provided that this costs less for each run saved.
 */
final class RunTiers {

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
   * The w for which binomial(slots + w, w) equals a number of units, interpolated between integers.
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
