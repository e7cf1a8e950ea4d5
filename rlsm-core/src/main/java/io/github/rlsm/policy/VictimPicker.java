// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Chooses which runs leave L0, by the paper's two rules within what recency allows.
 *
 * <p>Nothing is chosen while L0 holds at most {@code l0Trigger} runs that are free. Then:
 *
 * <ol>
 *   <li><b>Union set.</b> All runs that lie, with everything older they overlap, each inside one
 *       partition: they can be linked whole, so all of them go at once, for no I/O.
 *   <li><b>Density.</b> Without a union set, the runs with the most {@linkplain Density keys per
 *       width} of span, each with everything older it overlaps, until {@code victimCountMin} or
 *       {@code compactBytesMax} is reached. With no partition yet these found the first range.
 * </ol>
 *
 * <p><b>Recency.</b> Let the search order of a key be L0 from newest to oldest, then its
 * partition's runs from newest to oldest, and let versions be met newest first before the move. The
 * victims leave L0 and become the newest runs of their partitions, in their old order
 * ({@link AppendPlanner}). Three pairs of runs x (older) and y (newer) that share a key could
 * change places:
 *
 * <ul>
 *   <li>both victims: they keep their order;
 *   <li>one a victim, the other in L1 before: the victim is newer, and is placed behind the older
 *       run's back, at the list's end;
 *   <li>one a victim, the other staying in L0: if y stays, it is still met first. That x stays
 *       while y leaves is the one wrong case: it cannot be, as x and y share a key, so their spans
 *       intersect, and the set of victims is {@linkplain Recency closed}.
 * </ul>
 *
 * <p>A cut at {@code compactBytesMax} keeps the set closed: closures are added oldest run first,
 * and what an older member overlaps among still older runs was added before it. Runs held by other
 * jobs are never chosen, nor is any run above them, so the argument holds whichever job is
 * installed first.
 */
public final class VictimPicker {

  private final PolicySettings settings;

  /** Picks by some settings. */
  public VictimPicker(PolicySettings settings) {
    this.settings = settings;
  }

  /**
   * The runs that should leave L0 together, from oldest to newest; none if no compaction is due or
   * possible now.
   */
  public List<RunShape> pick(LevelShape level, Busy busy) {
    List<RunShape> l0 = level.l0();
    BitSet free = new BitSet(l0.size());
    IntStream.range(0, l0.size()).filter(i -> !busy.holds(l0.get(i))).forEach(free::set);
    if (free.cardinality() <= settings.l0Trigger()) {
      return List.of();
    }
    BitSet union = Recency.largestClosedSet(
        l0, i -> free.get(i) && liesInOnePartition(l0.get(i).span(), level.l1()));
    BitSet victims = union.isEmpty() ? densest(l0, free) : union;
    return victims.stream().mapToObj(l0::get).toList();
  }

  private static boolean liesInOnePartition(KeyRange span, List<PartitionShape> l1) {
    return l1.stream().anyMatch(partition -> partition.range().covers(span));
  }

  private BitSet densest(List<RunShape> l0, BitSet free) {
    KeyWidth width = KeyWidth.over(l0.stream().map(RunShape::span).toList());
    List<Density> densities =
        l0.stream().map(run -> new Density(run.entries(), width.of(run.span()))).toList();
    List<Integer> byDensity =
        new ArrayList<>(Recency.largestClosedSet(l0, free::get).stream().boxed().toList());
    byDensity.sort(Comparator.<Integer, Density>comparing(densities::get)
        .reversed()
        .thenComparing(Comparator.naturalOrder()));
    BitSet victims = new BitSet(l0.size());
    for (int seed : byDensity) {
      if (victims.cardinality() >= settings.victimCountMin()
          || !addWithinBudget(l0, Recency.closure(l0, seed), victims)) {
        break;
      }
    }
    return victims;
  }

  /** Adds runs from oldest to newest; stops, and says so, before the budget would be exceeded. */
  private boolean addWithinBudget(List<RunShape> l0, BitSet closure, BitSet victims) {
    long bytes = victims.stream().mapToLong(i -> l0.get(i).bytes()).sum();
    closure.andNot(victims);
    for (int i = closure.nextSetBit(0); i >= 0; i = closure.nextSetBit(i + 1)) {
      bytes += l0.get(i).bytes();
      if (bytes > settings.compactBytesMax() && !victims.isEmpty()) {
        return false;
      }
      victims.set(i);
    }
    return true;
  }
}
