// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.policy.Plan.Clean.Reason;
import io.github.rlsm.policy.ValueUse.ValueSegmentShape;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * Plans moves of a partition's values out of given segments. One move is limited in size, so that
 * other work does not have to wait for long.
 *
 * <p>A move reads the partition's tables. It writes the entries that have moved as a new run on top
 * of them, like a compaction, which appends to runs that it does not touch (RLSM section 3.2). So a
 * move can be small without rewriting the tables each time, and few values occupy space twice. A
 * move also rewrites the tables if moves and overwriting have made enough entries garbage.
 */
final class MovePlanner {

  /**
   * A job moves values of at most this many times the size of the partition's tables. At this ratio
   * the cost of the tables is negligible.
   */
  private static final int TABLES_MOVED_MAX = 6;

  private static final double PAGE_BYTES = 4 << 10;

  /**
   * A move for key order may take one part in this many of a partition's values. Each scan later
   * reads from as many places as there were moves.
   */
  private static final int ORDER_PARTS = 4;

  /**
   * A move may exceed its limits by this factor, so that all moves can be equally long. A scan
   * needs one read for each value in write order. A rest of 4 % of the values was a third of the
   * reads of a scan of 50 values, since the other values were in four ranges.
   */
  private static final double PART_MAX = 1.25;

  private final ValueUse use;
  private final IdentityHashMap<PartitionShape, Map<Integer, Long>> sums = new IdentityHashMap<>();
  private final long movedBytesMin;
  private final long readBytesMax;
  private final double deadFractionMax;

  /**
   * Creates a planner.
   *
   * @param settings limit the bytes that one move takes and reads
   * @param deadFractionMax the share of garbage among a partition's entries above which a move
   *     rewrites its tables
   */
  MovePlanner(ValueUse use, CollectSettings settings, double deadFractionMax) {
    this.use = use;
    this.movedBytesMin = settings.movedBytesMin();
    this.readBytesMax = settings.readBytesMax();
    this.deadFractionMax = deadFractionMax;
  }

  /** The bytes of live values that a partition has in each segment that it points into. */
  Map<Integer, Long> bytes(PartitionShape partition) {
    return sums.computeIfAbsent(partition, this::sum);
  }

  private Map<Integer, Long> sum(PartitionShape partition) {
    Map<Integer, Long> bytes = new HashMap<>();
    for (int i = 0; i < partition.runs().size(); i++) {
      use.bytes(partition, i).forEach((segment, here) -> bytes.merge(segment, here, Long::sum));
    }
    return Map.copyOf(bytes);
  }

  /** The bytes of live values that a partition has in given segments; -1 if it points into none. */
  long bytes(PartitionShape partition, Set<Integer> segments) {
    Map<Integer, Long> bytes = bytes(partition);
    return segments.stream()
        .map(bytes::get)
        .filter(Objects::nonNull)
        .reduce(Long::sum)
        .orElse(-1L);
  }

  /**
   * The next move of a partition that points into at least one of the given segments.
   *
   * @param segments in the order of preference
   */
  Plan.Clean plan(PartitionShape partition, List<ValueSegmentShape> segments, Reason reason) {
    Map<Integer, Long> bytes = bytes(partition);
    long most = Math.max(movedBytesMin, TABLES_MOVED_MAX * partition.bytes());
    List<ValueSegmentShape> candidates = segments;
    if (reason == Reason.VALUES) {
      candidates = likeTheFirst(segments, bytes);
      long all = sum(candidates, segment -> bytes.getOrDefault(segment.number(), 0L));
      most = evenPart(all, Math.max(most, partition.valueBytes() / ORDER_PARTS));
    }
    long readMost = evenPart(
        sum(
            candidates,
            segment -> wholeBytes(partition, segment, bytes.getOrDefault(segment.number(), 0L))),
        readBytesMax);
    long moved = 0;
    long read = 0;
    Set<Integer> chosen = new HashSet<>();
    for (ValueSegmentShape segment : candidates) {
      Long here = bytes.get(segment.number());
      if (here == null || chosen.size() == Plan.Clean.Move.SEGMENTS_MAX) {
        continue;
      }
      long whole = wholeBytes(partition, segment, here);
      if (chosen.isEmpty() || (moved + here <= most && read + whole <= readMost)) {
        chosen.add(segment.number());
        moved += here;
        read += whole;
      }
    }
    boolean onTop = garbageFraction(partition, moved) <= deadFractionMax;
    return CleanPlanner.moving(
        partition, oldest(partition, chosen), reason, new Plan.Clean.Move(chosen, moved, onTop));
  }

  /**
   * The segments that, like the first that the partition points into, are sorted or are not. Only
   * sorted ones may be many. The others would be read again for each group of new segments.
   */
  private List<ValueSegmentShape> likeTheFirst(
      List<ValueSegmentShape> segments, Map<Integer, Long> bytes) {
    boolean areSorted = segments.stream()
        .map(ValueSegmentShape::number)
        .filter(bytes::containsKey)
        .findFirst()
        .map(use::isSorted)
        .orElse(false);
    return segments.stream()
        .filter(segment -> use.isSorted(segment.number()) == areSorted)
        .toList();
  }

  private static long sum(
      List<ValueSegmentShape> segments, ToLongFunction<ValueSegmentShape> bytes) {
    return segments.stream().mapToLong(bytes).sum();
  }

  /**
   * The bytes that the next of several moves takes of all of them, at about a limit. Equal parts,
   * so that the last move is not a small one.
   */
  private static long evenPart(long all, long limit) {
    double parts = Math.ceil(all / (PART_MAX * limit));
    return (long) (all / Math.max(1, parts));
  }

  /**
   * The length of a segment if a move would read all of it for each group of new segments,
   * otherwise 0. A group takes adjacent values of a sorted segment, so each is read only once.
   */
  private long wholeBytes(PartitionShape partition, ValueSegmentShape segment, long needed) {
    if (use.isSorted(segment.number())) {
      return 0;
    }
    double pageShare = Math.max(1, PAGE_BYTES * partition.pointers() / partition.valueBytes());
    boolean isWhole = needed * pageShare >= Plan.Clean.Move.WHOLE_READ * segment.totalBytes();
    return isWhole ? segment.totalBytes() : 0;
  }

  /**
   * The share of a partition's entries that are garbage after a move of {@code movedBytes} on top.
   */
  private static double garbageFraction(PartitionShape partition, long movedBytes) {
    double entries = Math.max(1, partition.entries());
    double values = Math.max(1, partition.valueBytes());
    double moved = Math.min(entries, movedBytes / values * partition.pointers());
    return (partition.garbageFraction() * entries + moved) / (entries + moved);
  }

  private int oldest(PartitionShape partition, Set<Integer> segments) {
    int run = 0;
    while (use.bytes(partition, run).keySet().stream().noneMatch(segments::contains)) {
      run++;
    }
    return run;
  }
}
