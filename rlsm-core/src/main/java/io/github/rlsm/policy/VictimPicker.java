// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.policy.KeyWidth.Density;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Chooses the runs that leave L0, by the paper's two rules and within the limits of recency.
 *
 * <p>No run is chosen while L0 has at most {@code l0Trigger} free runs. Otherwise:
 *
 * <ol>
 *   <li><b>Union set.</b> All runs that, together with every older run they overlap, each lie
 *       inside one partition. They can be linked whole, so all of them leave at once, without I/O.
 *   <li><b>Density.</b> Without a union set, the runs with the most {@linkplain Density keys per
 *       width} of span. Each run comes with every older run it overlaps, until
 *       {@code victimCountMin} or {@code compactBytesMax} is reached. If no partition exists yet,
 *       these runs create the first one.
 * </ol>
 *
 * <p><b>Closed sets.</b> A set of L0 runs is <em>closed</em> if it has, for each of its runs, every
 * older run whose span intersects that run's span. Only closed sets may leave.
 *
 * <p><b>Recency.</b> The search order of a key is L0 from newest to oldest, then the runs of its
 * partition from newest to oldest. Assume that versions are met newest first before the move. The
 * victims leave L0 and become the newest runs of their partitions, in their old order
 * ({@link AppendPlanner}). Take two runs x (older) and y (newer) that share a key. Three kinds of
 * pairs could change their order:
 *
 * <ul>
 *   <li>Both are victims: they keep their order.
 *   <li>One is a victim, and the other was in L1 before: the victim is the newer run, and is
 *       appended after the older run.
 *   <li>One is a victim, and the other stays in L0. If y stays, it is still met first. If x stayed
 *       while y left, the order would be wrong. This cannot happen: x and y share a key, so their
 *       spans intersect, and the set of victims is closed.
 * </ul>
 *
 * <p>The limit {@code compactBytesMax} keeps the set closed. Closures are added oldest run first,
 * so when a run is added, the older runs that it overlaps are already in the set. Runs that other
 * jobs hold, and newer runs that overlap them, are never chosen. So the argument holds for any
 * order in which the jobs are installed.
 *
 * <p>Keeps invariant I-4 of ARCHITECTURE.md.
 */
public final class VictimPicker {

  private final PolicySettings settings;

  /** Creates a picker. */
  public VictimPicker(PolicySettings settings) {
    this.settings = settings;
  }

  /**
   * The runs that should leave L0 together, from oldest to newest. Empty if no compaction is due or
   * possible now.
   */
  public List<RunShape> pick(LevelShape level, RunningPlans inProgress) {
    List<RunShape> l0 = level.l0();
    BitSet free = new BitSet(l0.size());
    IntStream.range(0, l0.size()).filter(i -> !inProgress.holds(l0.get(i))).forEach(free::set);
    if (free.cardinality() <= settings.l0Trigger()) {
      return List.of();
    }
    BitSet union =
        largestClosedSet(l0, i -> free.get(i) && liesInOnePartition(l0.get(i).span(), level.l1()));
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
        new ArrayList<>(largestClosedSet(l0, free::get).stream().boxed().toList());
    byDensity.sort(Comparator.<Integer, Density>comparing(densities::get)
        .reversed()
        .thenComparing(Comparator.naturalOrder()));
    BitSet victims = new BitSet(l0.size());
    for (int seed : byDensity) {
      if (victims.cardinality() >= settings.victimCountMin()
          || !addWithinBudget(l0, closure(l0, seed), victims)) {
        break;
      }
    }
    return victims;
  }

  /**
   * Adds runs from oldest to newest. Returns false, without adding the run, when the next run would
   * exceed the budget.
   */
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

  /** The smallest closed set that contains a run. */
  static BitSet closure(List<RunShape> l0, int seed) {
    BitSet members = new BitSet(l0.size());
    members.set(seed);
    // From newest to oldest, so that all newer members are known when a run is examined.
    for (int older = seed - 1; older >= 0; older--) {
      if (intersectsMember(l0, older, members)) {
        members.set(older);
      }
    }
    return members;
  }

  private static boolean intersectsMember(List<RunShape> l0, int older, BitSet members) {
    for (int i = members.nextSetBit(older + 1); i >= 0; i = members.nextSetBit(i + 1)) {
      if (l0.get(i).span().intersects(l0.get(older).span())) {
        return true;
      }
    }
    return false;
  }

  /**
   * The largest closed set of runs that all satisfy a condition. It is the union of the closures of
   * its members, so a caller that takes a member can take the whole closure of the member.
   */
  static BitSet largestClosedSet(List<RunShape> l0, IntPredicate condition) {
    BitSet members = new BitSet(l0.size());
    for (int i = 0; i < l0.size(); i++) {
      if (condition.test(i) && !intersectsOlderOutsider(l0, i, members)) {
        members.set(i);
      }
    }
    return members;
  }

  private static boolean intersectsOlderOutsider(List<RunShape> l0, int run, BitSet members) {
    for (int i = members.nextClearBit(0); i < run; i = members.nextClearBit(i + 1)) {
      if (l0.get(i).span().intersects(l0.get(run).span())) {
        return true;
      }
    }
    return false;
  }
}
