// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.policy.StallPolicy.SpaceAmplificationBudget;
import io.github.rlsm.policy.ValueUse.SpaceShape;
import io.github.rlsm.policy.ValueUse.ValueSegmentShape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides when to reclaim space, in which value segments or tables, and in which partition next.
 *
 * <p><b>When.</b> Reclaiming begins when the store takes more than a given share of the room that
 * {@code maxSpaceAmplification} leaves for garbage. It ends at a smaller share. Without writes the
 * target is {@code restSpaceAmplification}. The longer a segment is left alone, the more of its
 * values die without work. So garbage is kept as close to the limit as possible, with room for
 * values that are on disk twice during a move.
 *
 * <p><b>Which.</b> The segments with the best ratio of reclaimed bytes to cost, where the cost is
 * the bytes to be rewritten. Of two equal segments the older goes first, since fewer of its values
 * will still die. This is the cost-benefit rule of Rosenblum and Ousterhout, "The Design and
 * Implementation of a Log-Structured File System", section 3.6. It uses the logarithm of the age,
 * since a segment's age is known only by its number. Segments that L0 points into wait until L0 no
 * longer does. If the tables of a partition have a larger share of garbage than the best segment,
 * they are rewritten first.
 *
 * <p><b>Where.</b> In the partition with the most live bytes in these segments, in moves of limited
 * size, so that other work does not wait for long. A segment is free when the last partition has
 * moved its values. Moved values are in segments that only their partition uses, in key order. So
 * collecting these segments again concerns only this partition.
 *
 * <p><b>Holes.</b> Dead values of more than one block can be punched out of their segments in
 * place. Their exact ranges are known once the runs of the partition are rewritten. As long as such
 * a rewrite reclaims a multiple of the bytes it writes, no value is moved. The partial blocks next
 * to a hole wait for a move of the segment, and holes do not count as part of a segment's size.
 *
 * <p>The same space gives the same answer. Threads: one at a time.
 */
public final class CollectPlanner {

  /** The share of the room for garbage at which reclaiming begins. */
  private static final double BEGIN = 0.93;

  /** The share at which reclaiming ends. */
  private static final double END = 0.9;

  /**
   * The bytes of holes that a rewrite must make for each byte it writes, to be preferred to a move.
   */
  private static final double HOLES_WORTH = 3;

  /**
   * The share of the room for garbage that values on disk twice may take. They are on disk twice
   * until the last partition has moved its values.
   */
  private static final double MOVED_MAX = 0.15;

  private final CollectSettings settings;
  private final boolean atRest;
  private final ValueUse use;
  private final MovePlanner moves;
  private final int below;

  /** See {@link #victims()}. */
  private @Nullable List<ValueSegmentShape> victims;

  /**
   * Creates a planner for a store that is written to.
   *
   * @param deadFractionMax see {@link PolicySettings}
   */
  public CollectPlanner(CollectSettings settings, double deadFractionMax, ValueUse use) {
    this(settings, false, deadFractionMax, use, Integer.MAX_VALUE);
  }

  /** Returns a planner for a store that is not written to; see {@link CollectSettings#atRest}. */
  public static CollectPlanner atRest(
      CollectSettings settings, double deadFractionMax, ValueUse use) {
    return new CollectPlanner(settings.atRest(), true, deadFractionMax, use, Integer.MAX_VALUE);
  }

  /**
   * Returns a planner of a collection that a user requested; see {@link CollectSettings#whenAsked}.
   *
   * @param below only segments with smaller numbers are reclaimed
   */
  public static CollectPlanner whenAsked(
      CollectSettings settings, double deadFractionMax, ValueUse use, int below) {
    return new CollectPlanner(settings.whenAsked(), false, deadFractionMax, use, below);
  }

  private CollectPlanner(
      CollectSettings settings, boolean atRest, double deadFractionMax, ValueUse use, int below) {
    this.settings = settings;
    this.atRest = atRest;
    this.use = use;
    this.moves = new MovePlanner(use, settings, deadFractionMax);
    this.below = below;
  }

  /** The segments to reclaim now, best ratio first. Chosen when first asked for. */
  List<ValueSegmentShape> victims() {
    List<ValueSegmentShape> chosen = victims;
    if (chosen == null) {
      chosen = chooseVictims();
      victims = chosen;
    }
    return chosen;
  }

  /** The planner of moves. */
  MovePlanner moves() {
    return moves;
  }

  /** The description of the space that decisions are based on. */
  ValueUse use() {
    return use;
  }

  /**
   * The next job, with the {@link #pressure} as its urgency. Empty if none is due, or if all must
   * wait for running jobs.
   */
  Optional<CleanPicker.Choice> next(LevelShape level, Predicate<PartitionShape> mayBeCleaned) {
    if (!isShort()) {
      return Optional.empty();
    }
    return punch(level, mayBeCleaned)
        .or(() -> free(level, mayBeCleaned))
        .map(plan -> new CleanPicker.Choice(plan, pressure(level)));
  }

  private Optional<Plan.Clean> free(LevelShape level, Predicate<PartitionShape> mayBeCleaned) {
    double garbageOfBest = victims().isEmpty() ? 0 : 1 - victims().get(0).liveFraction();
    return mostGarbage(level, mayBeCleaned)
        .filter(partition -> partition.garbageFraction() >= garbageOfBest)
        .map(partition -> CleanPlanner.whole(partition, Plan.Clean.Reason.GARBAGE))
        .or(() -> move(level, mayBeCleaned));
  }

  /** The partition whose tables have the largest share of garbage, if it exceeds the minimum. */
  private Optional<PartitionShape> mostGarbage(
      LevelShape level, Predicate<PartitionShape> mayBeCleaned) {
    return level.l1().stream()
        .filter(partition -> partition.garbageFraction() > garbageFractionMin())
        .filter(mayBeCleaned)
        .max(Comparator.comparingDouble(PartitionShape::garbageFraction));
  }

  private Optional<Plan.Clean> punch(LevelShape level, Predicate<PartitionShape> mayBeCleaned) {
    PartitionShape best = null;
    double bestWorth = HOLES_WORTH;
    for (PartitionShape partition : level.l1()) {
      double worth = (double) use.holeBytes(partition) / Math.max(1, partition.bytes());
      if (worth > bestWorth && mayBeCleaned.test(partition)) {
        best = partition;
        bestWorth = worth;
      }
    }
    return Optional.ofNullable(best)
        .map(partition -> CleanPlanner.whole(partition, Plan.Clean.Reason.HOLES));
  }

  /**
   * The minimum share of garbage for a rewrite. If no partition exceeded it, the store would be
   * within its limit.
   */
  private double garbageFractionMin() {
    return Math.max(1 - settings.liveFractionMax(), 1 - 1 / settings.maxSpaceAmplification());
  }

  private Optional<Plan.Clean> move(LevelShape level, Predicate<PartitionShape> mayBeCleaned) {
    if (victims().isEmpty()) {
      return Optional.empty();
    }
    Set<Integer> wanted = numbers(victims());
    PartitionShape most = null;
    long mostBytes = -1;
    for (PartitionShape partition : level.l1()) {
      long bytes = moves.bytes(partition, wanted);
      if (bytes > mostBytes && mayBeCleaned.test(partition)) {
        most = partition;
        mostBytes = bytes;
      }
    }
    return Optional.ofNullable(most)
        .map(partition -> moves.plan(partition, victims(), Plan.Clean.Reason.SPACE));
  }

  /** Whether the planner serves a store that is not written to. */
  boolean isAtRest() {
    return atRest;
  }

  /** Whether segments are to be reclaimed. */
  public boolean isDue() {
    return !victims().isEmpty();
  }

  /** How far collection is behind: 0 where it begins, 1 where the limit is reached. */
  public double pressure(LevelShape level) {
    return room(level).pressure(0);
  }

  /** Whether the store takes too much space, even if no segment can be reclaimed. */
  public boolean isShort() {
    return use.space().diskBytes() > limit(use.space(), BEGIN);
  }

  /**
   * Whether the store takes too much space, and a segment that L0 points into is better than one of
   * the victims.
   */
  public boolean waitsForL0() {
    if (!isShort()) {
      return false;
    }
    int youngest = use.space().youngest();
    double least =
        victims().stream().mapToDouble(victim -> worth(victim, youngest)).min().orElse(0);
    return use.space().segments().stream()
        .filter(segment -> segment.number() < below && use.inL0().contains(segment.number()))
        .filter(segment -> segment.liveFraction() <= settings.liveFractionMax())
        .anyMatch(segment -> worth(segment, youngest) > least);
  }

  /** The room left for garbage; unlimited if no job could reclaim any. */
  public SpaceAmplificationBudget room(LevelShape level) {
    SpaceShape space = use.space();
    if (isShort() && !isDue() && mostGarbage(level, partition -> true).isEmpty()) {
      return SpaceAmplificationBudget.ANY; // no job could reclaim any
    }
    double begin = limit(space, BEGIN);
    double room = Math.max((double) settings.slackBytes(), limit(space, 1) - begin);
    return new SpaceAmplificationBudget(space.diskBytes() - begin, room, 1 - space.newShare());
  }

  private double limit(SpaceShape space, double share) {
    double room = settings.maxSpaceAmplification() - 1;
    // Most of the space of tiny values is overhead. Overhead takes at most half of the room; with
    // more overhead the limit rises.
    double live = Math.max((double) space.liveBytes(), space.storedBytes() / (1 + room / 2));
    return (1 + share * room) * live;
  }

  private List<ValueSegmentShape> chooseVictims() {
    SpaceShape space = use.space();
    double left = space.diskBytes();
    if (left <= limit(space, BEGIN)) {
      return List.of();
    }
    double end = limit(space, END);
    Set<Integer> inL0 = use.inL0();
    List<ValueSegmentShape> worthIt = space.segments().stream()
        .filter(segment -> segment.number() < below)
        .filter(segment -> segment.liveFraction() <= settings.liveFractionMax())
        .filter(segment -> !inL0.contains(segment.number()))
        .sorted(Comparator.comparingDouble(segment -> -worth(segment, space.youngest())))
        .toList();
    double most =
        Math.max((double) settings.movedBytesMin(), limit(space, MOVED_MAX) - limit(space, 0));
    double moved = 0;
    List<ValueSegmentShape> chosen = new ArrayList<>();
    for (ValueSegmentShape segment : worthIt) {
      if (left <= end || moved >= most) {
        break;
      }
      left -= segment.totalBytes() - segment.liveBytes();
      moved += segment.liveBytes();
      chosen.add(segment);
    }
    return chosen;
  }

  private static double worth(ValueSegmentShape segment, int youngest) {
    double live = segment.liveFraction();
    int age = Math.max(0, youngest - segment.number());
    return (1 - live) * (1 + Math.log1p(age)) / (live + 1e-3);
  }

  private static Set<Integer> numbers(List<ValueSegmentShape> segments) {
    Set<Integer> numbers = new HashSet<>();
    segments.forEach(segment -> numbers.add(segment.number()));
    return numbers;
  }
}
