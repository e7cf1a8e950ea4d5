// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which neighbouring runs of a partition become one, when it has more than it may.
 *
 * <p><b>The binomial rule.</b> Let runs of one size, the unit, be appended one by one, and let at
 * most k of them stand over a key. If no byte may be rewritten more than w times, the most that can
 * be held is C(k, w) = binomial(k + w, w) units: the oldest run takes C(k, w - 1) units with k
 * slots and w - 1 rewrites, and one more to make it one run; what comes after it has k - 1 slots
 * and w rewrites left. Nothing that keeps k runs can do better (Bentley, Saxe 1980). Read the other
 * way round: a run of C(k, w) units with k slots for it and all newer ones is due when what is
 * newer has grown to C(k - 1, w + 1) units, that is to k / (w + 1) of its own size. So an old run
 * is rewritten the sooner the fewer slots there are, and the more seldom the fewer rewrites it is
 * worth.
 *
 * <p>Nothing is remembered between two decisions: w follows from a run's size in units, k from its
 * place in the list, and the unit is the newest run. The oldest run that is due is rewritten with
 * all that is newer; if sizes are irregular and none is, the one that comes closest.
 *
 * <p><b>Runs out of order.</b> Splits and merges of partitions leave small old runs below larger
 * new ones, which the rule never makes by itself. Neighbours that weigh no more together than the
 * next newer run are rewritten instead, if that costs less for each run saved.
 */
final class RunTiers {

  /** Slices of one compaction differ by chance; that much short of due is due. */
  private static final double DUE = 0.999;

  private final List<RunShape> runs;
  private final BitSet counted;

  private RunTiers(List<RunShape> runs, BitSet counted) {
    this.runs = runs;
    this.counted = counted;
  }

  /**
   * Some neighbours.
   *
   * @param from index of the oldest
   * @param to index after the newest
   * @param price bytes that are rewritten for each run less
   */
  record Choice(int from, int to, double price) {}

  /**
   * What to rewrite.
   *
   * @param runs from oldest to newest
   * @param counted those that shall become fewer, at least two
   * @param slots how many of these there may be
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
      throw new IllegalArgumentException("nothing to save of " + counted.cardinality() + " runs");
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
   * The w for which binomial(slots + w, w) is a number of units, interpolated between whole ones.
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
