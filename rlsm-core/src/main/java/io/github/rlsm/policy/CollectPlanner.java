// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Decides when space is freed, in which value segments or tables, and in which partition next.
 *
 * <p><b>When.</b> As soon as the store takes more than a share of the room that
 * {@code maxSpaceAmplification} leaves for garbage; and then until it takes a smaller share. The
 * longer a segment is left alone the more of it dies by itself, so garbage is kept as near to the
 * limit as what stands in two places meanwhile allows.
 *
 * <p><b>Which.</b> The segments that give back most for what they cost, which is what has to be
 * written again; of two alike the older one, in which less is still going to die by itself (the
 * cost-benefit rule of Rosenblum and Ousterhout, "The Design and Implementation of a Log-Structured
 * File System", section 3.6, with the logarithm of the age, since age is known here by number
 * only). Segments that L0 points into have to wait until it does not. If some partition's tables
 * hold a larger share of garbage than the best segment, they are rewritten first.
 *
 * <p><b>Where.</b> In the partition with most of it, and not so much at once that other work would
 * have to wait for long. A segment is free when the last partition has moved its part. What has
 * been moved stands in segments of its partition alone, in key order: collected again, it concerns
 * that partition only.
 *
 * <p><b>Holes.</b> Dead values of more than a block can be taken out of their segments where they
 * stand. They are known exactly once the partition's runs have been rewritten; as long as that
 * gives back a multiple of what it writes, nothing is moved. What is left of blocks beside holes
 * waits for a move, to which such a segment is as short as its holes have made it.
 *
 * <p>The planner keeps no state; the same space gives the same answer.
 */
public final class CollectPlanner {

  /** Of the room for garbage, the share from which on segments are freed. */
  private static final double BEGIN = 0.93;

  /** The share at which that ends. */
  private static final double END = 0.9;

  /** Bytes of holes that a byte rewritten must make for that to be done before values are moved. */
  private static final double HOLES_WORTH = 3;

  /**
   * Of the room for garbage, the share that what stands in two places may take, until the last
   * partition has moved its part.
   */
  private static final double MOVED_MAX = 0.15;

  private final CollectSettings settings;
  private final ValueUse use;
  private final MovePlanner moves;

  /** The segments to be freed now, those that are most worth it first. */
  private final List<ValueSegmentShape> victims;

  /**
   * Plans by some settings.
   *
   * @param deadFractionMax see {@link PolicySettings}
   */
  public CollectPlanner(CollectSettings settings, double deadFractionMax, ValueUse use) {
    this.settings = settings;
    this.use = use;
    this.moves = new MovePlanner(use, settings.movedBytesMin(), deadFractionMax);
    this.victims = chooseVictims();
  }

  /** What plans the moves. */
  MovePlanner moves() {
    return moves;
  }

  /** What it decides by. */
  ValueUse use() {
    return use;
  }

  /**
   * The next move, as urgent as the {@link #pressure}; empty if none is due, or all must wait for
   * running jobs.
   */
  Optional<CleanPicker.Choice> next(LevelShape level, Predicate<PartitionShape> mayBeCleaned) {
    if (!isShort()) {
      return Optional.empty();
    }
    return punch(level, mayBeCleaned)
        .or(() -> free(level, mayBeCleaned))
        .map(plan -> new CleanPicker.Choice(plan, pressure(level)));
  }

  private Optional<CleanPlan> free(LevelShape level, Predicate<PartitionShape> mayBeCleaned) {
    double garbageOfBest = victims.isEmpty() ? 0 : 1 - victims.get(0).liveFraction();
    return mostGarbage(level, mayBeCleaned)
        .filter(partition -> partition.garbageFraction() >= garbageOfBest)
        .map(partition -> CleanPlanner.whole(partition, CleanPlan.Reason.GARBAGE))
        .or(() -> move(level, mayBeCleaned));
  }

  /** The partition whose tables hold the most garbage for what is live, if that is worth it. */
  private Optional<PartitionShape> mostGarbage(
      LevelShape level, Predicate<PartitionShape> mayBeCleaned) {
    return level.l1().stream()
        .filter(partition -> partition.garbageFraction() > garbageFractionMin())
        .filter(mayBeCleaned)
        .max(Comparator.comparingDouble(PartitionShape::garbageFraction));
  }

  private Optional<CleanPlan> punch(LevelShape level, Predicate<PartitionShape> mayBeCleaned) {
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
        .map(partition -> CleanPlanner.whole(partition, CleanPlan.Reason.HOLES));
  }

  /** If no partition had more garbage than this, the store would take no more than it may. */
  private double garbageFractionMin() {
    return Math.max(1 - settings.liveFractionMax(), 1 - 1 / settings.maxSpaceAmplification());
  }

  private Optional<CleanPlan> move(LevelShape level, Predicate<PartitionShape> mayBeCleaned) {
    if (victims.isEmpty()) {
      return Optional.empty();
    }
    Set<Integer> wanted = numbers(victims);
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
        .map(partition -> moves.plan(partition, victims, CleanPlan.Reason.SPACE));
  }

  /** Whether segments are to be freed. */
  public boolean isDue() {
    return !victims.isEmpty();
  }

  /** How far collecting is behind: 0 where it begins, 1 where the limit is reached. */
  public double pressure(LevelShape level) {
    return room(level).pressure(0);
  }

  /** Whether the store takes more space than it should, be there segments to free or not. */
  public boolean isShort() {
    return use.space().diskBytes() > limit(use.space(), BEGIN);
  }

  /**
   * Whether the store takes more space than it should, and a segment that L0 points into would be
   * freed before one of the victims.
   */
  public boolean waitsForL0() {
    if (!isShort()) {
      return false;
    }
    int youngest = use.space().youngest();
    double least =
        victims.stream().mapToDouble(victim -> worth(victim, youngest)).min().orElse(0);
    return use.space().segments().stream()
        .filter(segment -> use.inL0().contains(segment.number()))
        .filter(segment -> segment.liveFraction() <= settings.liveFractionMax())
        .anyMatch(segment -> worth(segment, youngest) > least);
  }

  /** How much more garbage there may be; any amount if nothing could free it. */
  public GarbageRoom room(LevelShape level) {
    SpaceShape space = use.space();
    if (isShort() && !isDue() && mostGarbage(level, partition -> true).isEmpty()) {
      return GarbageRoom.ANY; // nothing could free it
    }
    double begin = limit(space, BEGIN);
    double room = Math.max((double) settings.slackBytes(), limit(space, 1) - begin);
    return new GarbageRoom(space.diskBytes() - begin, room, 1 - space.newShare());
  }

  private double limit(SpaceShape space, double share) {
    double room = settings.maxSpaceAmplification() - 1;
    // Of tiny values most is stored beside them: that takes half of the room at most.
    double live = Math.max((double) space.liveBytes(), space.storedBytes() / (1 + room / 2));
    return (1 + share * room) * live;
  }

  /** The segments to be freed now, those that are most worth it first. */
  List<ValueSegmentShape> victims() {
    return victims;
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
