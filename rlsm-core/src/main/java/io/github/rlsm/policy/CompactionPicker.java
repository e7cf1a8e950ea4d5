// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Picks the next job for a shard's levels.
 *
 * <p>It tries the following kinds of job in this order:
 *
 * <ol>
 *   <li>A <b>split</b> or a <b>merge</b> that is due and conflicts with no running job. It changes
 *       only metadata and is installed at once. If a partition is due for a split and must wait for
 *       a running clean, no further clean of the partition starts, so the split is not delayed
 *       without bound.
 *   <li>If the store is not written to and L0 is empty: a <b>move</b> of values into key order, see
 *       {@link ScanPlanner#moveAtRest}. It comes before cleans, since each move makes entries
 *       garbage. Otherwise a clean would follow each move. One such move runs at a time, so that
 *       its segments stay in memory for the move of the next partition.
 *   <li>A <b>compaction</b> that only links.
 *   <li>If fewer than {@code parallelism} jobs run: a compaction that moves data, or the most
 *       urgent <b>clean</b>. A clean serves the levels or reclaims space in the value log. The job
 *       that is further past its threshold wins; the compaction wins a tie. So neither starves with
 *       few threads. While L0 has runs, cleans leave one slot free, unless {@code parallelism} is
 *       1.
 *   <li>If nothing else is due: work that scans have paid for, see {@link ScanPlanner}.
 * </ol>
 *
 * <p>Plans that run at the same time never conflict, see {@link RunningPlans}. The picker keeps no
 * state: the same level and running plans give the same answer.
 */
public final class CompactionPicker {

  private final PolicySettings settings;
  private final VictimPicker victims;
  private final AppendPlanner appends;
  private final ReshapePlanner reshapes;
  private final CleanPicker cleans;
  private final ScanPlanner scans;
  private final Optional<CollectPlanner> collects;

  /** Creates a picker that ignores scans and space in the value log. */
  public CompactionPicker(RunMetrics metrics, PolicySettings settings) {
    this(metrics, settings, ScanCosts.NONE, Optional.empty());
  }

  /** Creates a picker that also serves scans and reclaims space in the value log. */
  public CompactionPicker(
      RunMetrics metrics,
      PolicySettings settings,
      ScanCosts costs,
      Optional<CollectPlanner> collects) {
    this.collects = collects;
    this.settings = settings;
    this.victims = new VictimPicker(settings);
    this.appends = new AppendPlanner(metrics, settings);
    this.cleans = new CleanPicker(settings);
    this.scans = new ScanPlanner(metrics, settings, costs, collects);
    this.reshapes = new ReshapePlanner(metrics, settings);
  }

  /**
   * The next job. Empty if nothing is due, or if each due job must wait for a running job.
   *
   * @param level the levels as installed; victims of running compactions are still in L0
   * @param running plans that have started and are not yet installed
   */
  public Optional<Plan> next(LevelShape level, Collection<? extends Plan> running) {
    RunningPlans inProgress = RunningPlans.of(running);
    return reshape(level, inProgress)
        .or(() -> atRest(level, inProgress, running))
        .or(() -> move(level, inProgress, running))
        .or(() -> forScans(level, inProgress, running));
  }

  private Optional<Plan> forScans(
      LevelShape level, RunningPlans inProgress, Collection<? extends Plan> running) {
    if (running.size() >= settings.parallelism()) {
      return Optional.empty();
    }
    return scans
        .compaction(level, inProgress)
        .<Plan>map(plan -> plan)
        .or(() -> scans.clean(level, partition -> mayBeCleaned(partition, inProgress)))
        .or(() -> scans.move(level, partition -> mayBeCleaned(partition, inProgress)));
  }

  private Optional<Plan> atRest(
      LevelShape level, RunningPlans inProgress, Collection<? extends Plan> running) {
    boolean isMoving = running.stream()
        .anyMatch(plan -> plan instanceof Plan.Clean clean && !clean.segments().isEmpty());
    return isMoving || !level.l0().isEmpty() || running.size() >= settings.parallelism()
        ? Optional.empty()
        : scans
            .moveAtRest(level, partition -> mayBeCleaned(partition, inProgress))
            .map(plan -> plan);
  }

  private Optional<Plan> reshape(LevelShape level, RunningPlans inProgress) {
    for (PartitionShape partition : level.l1()) {
      if (!inProgress.holdsForReshaping(partition.range())) {
        Optional<Plan.Split> split = reshapes.split(partition);
        if (split.isPresent()) {
          return Optional.of(split.get());
        }
      }
    }
    return reshapes.merge(level, inProgress).map(merge -> merge);
  }

  private Optional<Plan> move(
      LevelShape level, RunningPlans inProgress, Collection<? extends Plan> running) {
    Optional<Plan.Compaction> compact = compact(level, inProgress);
    boolean onlyLinks = compact.isPresent() && compact.get().rewrittenBytes() == 0;
    if (onlyLinks || running.size() >= settings.parallelism()) {
      return compact.filter(plan -> onlyLinks).map(plan -> plan);
    }
    long cleaning = running.stream().filter(Plan.Clean.class::isInstance).count();
    boolean oneIsFree = settings.parallelism() == 1 || level.l0().isEmpty();
    Optional<CleanPicker.Choice> clean = cleaning < settings.parallelism() - (oneIsFree ? 0 : 1)
        ? clean(level, inProgress)
        : Optional.empty();
    if (compact.isPresent()) {
      double urgency = compactUrgency(level, inProgress);
      clean = clean.filter(choice -> choice.urgency() > urgency);
    }
    return clean.<Plan>map(CleanPicker.Choice::plan).or(() -> compact);
  }

  private Optional<CleanPicker.Choice> clean(LevelShape level, RunningPlans inProgress) {
    Optional<CleanPicker.Choice> tidy =
        cleans.pick(level, partition -> mayBeCleaned(partition, inProgress));
    Optional<CleanPicker.Choice> space =
        collects.flatMap(all -> all.next(level, partition -> mayBeCleaned(partition, inProgress)));
    double urgency = space.map(CleanPicker.Choice::urgency).orElse(0.0);
    return tidy.filter(choice -> choice.urgency() > urgency).or(() -> space).or(() -> tidy);
  }

  private boolean mayBeCleaned(PartitionShape partition, RunningPlans inProgress) {
    return !inProgress.holdsForCleaning(partition.range())
        && reshapes.split(partition).isEmpty();
  }

  private Optional<Plan.Compaction> compact(LevelShape level, RunningPlans inProgress) {
    List<RunShape> picked = victims.pick(level, inProgress);
    if (picked.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(appends.plan(level, picked))
        .filter(plan -> plan.targets().stream().noneMatch(inProgress::holds));
  }

  private double compactUrgency(LevelShape level, RunningPlans inProgress) {
    double free = level.l0().stream().filter(run -> !inProgress.holds(run)).count();
    return (free - settings.l0Trigger()) / Math.max(1, settings.l0Trigger());
  }

  /**
   * The pending bytes of background work, the sum of three parts:
   *
   * <ul>
   *   <li>the largest L0 runs beyond the trigger;
   *   <li>for each partition that is due for a clean, a share of its bytes that grows with the
   *       clean's urgency, up to all of them;
   *   <li>the bytes that links pin beyond {@code pinnedFractionMax}.
   * </ul>
   */
  public static long debtBytes(LevelShape level, PolicySettings settings) {
    List<Long> l0 = level.l0().stream()
        .map(RunShape::bytes)
        .sorted(Comparator.reverseOrder())
        .toList();
    int beyond = Math.max(0, l0.size() - settings.l0Trigger());
    long debt = l0.stream().limit(beyond).mapToLong(Long::longValue).sum();
    CleanPlanner cleans = new CleanPlanner(settings);
    for (PartitionShape partition : level.l1()) {
      double share = Math.min(1, Math.max(0, cleans.urgency(partition)));
      debt += (long) (share * partition.bytes());
    }
    return debt + CleanPicker.PinnedSpace.of(level.l1()).bytesBeyond(settings.pinnedFractionMax());
  }
}
