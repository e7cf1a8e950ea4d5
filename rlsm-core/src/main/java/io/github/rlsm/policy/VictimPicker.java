// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the runs that leave L0, by the paper's two rules and within the limits of recency.
 *
 * <p>No run is chosen while L0 has at most {@code l0Trigger} free runs. Otherwise:
 *
 * <ol>
 *   <li><b>Union set.</b> All runs that, together with every older run they overlap, each lie
 *       inside one partition. They can be linked whole, so all of them leave at once, without I/O.
 *   <li><b>Density.</b> Without a union set, the runs with the most {@linkplain KeyWidth.Density
 *       keys per width} of span. Each run comes with every older run it overlaps, until
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
    List<KeyWidth.Density> densities = l0.stream()
        .map(run -> new KeyWidth.Density(run.entries(), width.of(run.span())))
        .toList();
    List<Integer> byDensity =
        new ArrayList<>(largestClosedSet(l0, free::get).stream().boxed().toList());
    byDensity.sort(Comparator.<Integer, KeyWidth.Density>comparing(densities::get)
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

  /**
   * Measures the width of key ranges as integers: the paper's {@code Max - Min} for keys of bytes.
   *
   * <p>All ranges to be compared are measured on one scale. Their bounds have a longest common
   * prefix, which carries no information and is removed. The <em>position</em> of a key is the next
   * {@value #WINDOW_BYTES} bytes after the prefix, padded with zero bytes at the end, as an
   * unsigned big-endian number. The width of a range is the difference of its bounds' positions,
   * but at least 1.
   *
   * <p>Properties: positions increase with keys, but not strictly. Keys that differ only after the
   * window, or by trailing zero bytes, have the same position. So a range is at least as wide as
   * any range it covers. Widths are exact, positive, and below 2<sup>8 ·
   * {@value #WINDOW_BYTES}</sup>. For big-endian integers of one length, the width of {@code [a,
   * b]} is proportional to {@code b - a}.
   */
  static final class KeyWidth {

    /** Long enough to distinguish keys that share a tenant and a date after the common prefix. */
    private static final int WINDOW_BYTES = 32;

    private final byte[] prefix;

    private KeyWidth(byte[] prefix) {
      this.prefix = prefix;
    }

    /**
     * The scale for ranges that are bounded on both sides, and for every range inside their hull.
     */
    static KeyWidth over(Collection<KeyRange> ranges) {
      byte @Nullable [] prefix = null;
      for (KeyRange range : ranges) {
        prefix = commonPrefix(commonPrefix(prefix, range.from()), range.to());
      }
      return new KeyWidth(prefix == null ? new byte[0] : prefix);
    }

    private static byte[] commonPrefix(byte @Nullable [] prefix, byte @Nullable [] bound) {
      if (bound == null) {
        throw new IllegalArgumentException("an open range has no width");
      }
      if (prefix == null) {
        return bound;
      }
      int mismatch = Arrays.mismatch(prefix, bound);
      return mismatch < 0 ? prefix : Arrays.copyOf(prefix, mismatch);
    }

    /** The width of a range inside the hull of the scale's ranges. */
    BigInteger of(KeyRange range) {
      return position(range.to()).subtract(position(range.from())).max(BigInteger.ONE);
    }

    private BigInteger position(byte @Nullable [] key) {
      if (key == null || !startsWithPrefix(key)) {
        throw new IllegalArgumentException("a bound is open or outside the ranges of the scale");
      }
      byte[] window = new byte[WINDOW_BYTES];
      int length = Math.min(WINDOW_BYTES, key.length - prefix.length);
      System.arraycopy(key, prefix.length, window, 0, length);
      return new BigInteger(1, window);
    }

    private boolean startsWithPrefix(byte[] key) {
      return key.length >= prefix.length
          && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }

    /**
     * The paper's {@code TotalNumberOfKVs / (Max - Min)} as an exact fraction. The keys of a dense
     * run are close together, so few partitions get a share of it.
     *
     * @param entries keys in the run
     * @param width width of its span; positive
     */
    record Density(long entries, BigInteger width) implements Comparable<Density> {

      @Override
      public int compareTo(Density other) {
        BigInteger mine = BigInteger.valueOf(entries).multiply(other.width);
        return mine.compareTo(BigInteger.valueOf(other.entries).multiply(width));
      }
    }
  }
}
