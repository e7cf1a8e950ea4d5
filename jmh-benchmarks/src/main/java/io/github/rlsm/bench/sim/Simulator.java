// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.sim;

import io.github.rlsm.policy.CompactionPicker;
import io.github.rlsm.policy.PartitionShape;
import io.github.rlsm.policy.Plan;
import io.github.rlsm.policy.PolicySettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Simulates a workload with the engine's policies. Every job is executed when it becomes due.
 *
 * <p><b>Sampling.</b> A store of 100 TB has a million partitions. If writes are spread evenly over
 * the key space, partitions are exchangeable. A partition's behaviour depends on its own runs, on
 * the number of runs in L0, and on shares of the whole level. So when the simulated key space has
 * more than {@code partitionsMax} partitions, it is cut at a partition bound to its lower half.
 * From then on the simulation represents the remaining share of the key space. Flushes bring that
 * share of their writes, and limits on the total size of a compaction shrink with it. The slices,
 * runs, splits and cleans of a partition keep their true size.
 *
 * <p>Threads: one.
 */
public final class Simulator {

  private static final int FLUSHES_PER_SWEEP = 64;

  private final Writes writes;
  private final PolicySettings settings;
  private final boolean grows;
  private final double entryBytes;
  private final double flushEntries;
  private final int partitionsMax;
  private final SimLevels levels;
  private PolicySettings current;
  private CompactionPicker planner;
  private long end = Long.MAX_VALUE;
  private double share = 1;
  private double time;
  private double writtenBytes;
  private double rewrittenBefore;
  private double splits;
  private double merges;
  private double flushedBytes;
  private double depthSum;
  private long depthCount;
  private double l0Sum;
  private long l0Count;

  /** Creates a store with thresholds that grow with its size, as in the engine. */
  public Simulator(Writes writes, PolicySettings settings, double entryBytes, int partitionsMax) {
    this(writes, settings, entryBytes, partitionsMax, true);
  }

  /**
   * Creates an empty store.
   *
   * @param entryBytes bytes of an entry on disk
   * @param settings settings of a small store; {@code flushBytes} is the size of a flush without
   *     repeated keys
   * @param partitionsMax number of simulated partitions at which the key space is cut
   * @param grows whether thresholds grow with the store, as in the engine
   */
  public Simulator(
      Writes writes, PolicySettings settings, double entryBytes, int partitionsMax, boolean grows) {
    this.writes = writes;
    this.settings = settings;
    this.grows = grows;
    this.entryBytes = entryBytes;
    this.flushEntries = settings.flushBytes() / entryBytes;
    this.partitionsMax = partitionsMax;
    this.levels = new SimLevels(writes, entryBytes);
    this.current = settings;
    this.planner = new CompactionPicker(levels, settings);
  }

  /** Runs until that many bytes were put in total. The result has means since the last call. */
  public SimPoint play(double bytes) {
    depthSum = 0;
    depthCount = 0;
    l0Sum = 0;
    l0Count = 0;
    int flushes = 0;
    while (time * entryBytes < bytes) {
      double flushed = levels.flush(time, time + flushEntries, end);
      time += flushEntries;
      flushedBytes += flushed / share;
      decide();
      settle();
      cut();
      if (++flushes % FLUSHES_PER_SWEEP == 0) {
        levels.sweep();
      }
    }
    return point();
  }

  /** Runs the work of an idle store, and returns the result. */
  public SimPoint rest() {
    decide();
    planner = new CompactionPicker(levels, scaled(current).whenIdle());
    settle();
    planner = new CompactionPicker(levels, scaled(current));
    return point();
  }

  private void settle() {
    long splitsBefore = levels.splits();
    long mergesBefore = levels.merges();
    Optional<Plan> plan = planner.next(levels.shape(), List.of());
    while (plan.isPresent()) {
      levels.install(plan.get());
      plan = planner.next(levels.shape(), List.of());
    }
    writtenBytes += (levels.rewrittenBytes() - rewrittenBefore) / share;
    rewrittenBefore = levels.rewrittenBytes();
    l0Sum += levels.l0().size();
    l0Count++;
    splits += (levels.splits() - splitsBefore) / share;
    merges += (levels.merges() - mergesBefore) / share;
    for (PartitionShape partition : levels.l1()) {
      depthSum += partition.depth();
      depthCount++;
    }
  }

  private void cut() {
    List<PartitionShape> l1 = levels.l1();
    if (!writes.isAlikeEverywhere() || l1.size() <= partitionsMax) {
      return;
    }
    end = Positions.from(l1.get(l1.size() / 2).range());
    levels.cut(end);
    share = (double) end / Writes.SPACE;
    planner = new CompactionPicker(levels, scaled(current));
  }

  private void decide() {
    PolicySettings before = current;
    current = grows ? settings.grownTo(levels.bytes() / share, 0) : settings;
    if (!current.equals(before)) {
      planner = new CompactionPicker(levels, scaled(current));
    }
  }

  private PolicySettings scaled(PolicySettings grown) {
    return new PolicySettings(
        new PolicySettings.Level0(grown.l0Trigger(), grown.victimCountMin(), Math.max(1, (long)
            (grown.compactBytesMax() * share))),
        new PolicySettings.Partitions(
            grown.partitionBytesMin(), grown.partitionBytesMax(), Math.max(1, (long)
                (grown.newRangeEntriesMin() * share))),
        grown.runs(),
        grown.flushBytes(),
        grown.parallelism());
  }

  private SimPoint point() {
    List<PartitionShape> l1 = levels.l1();
    List<Integer> depths = new ArrayList<>();
    long runs = 0;
    for (PartitionShape partition : l1) {
      depths.add(partition.depth());
      runs += partition.runs().size();
    }
    long lowest = writes.firstPosition(0);
    long highest = Math.min(end, writes.endPosition(time));
    double live = entryBytes
        * (writes.keys(lowest, highest, 0, time) - writes.deletes(lowest, highest, 0, time));
    double put = time * entryBytes;
    return new SimPoint(
        put,
        (flushedBytes + writtenBytes) / put,
        new SimPoint.Depth(
            depthCount == 0 ? 0 : depthSum / depthCount,
            l0Count == 0 ? 0 : l0Sum / l0Count,
            depths.stream().mapToInt(Integer::intValue).max().orElse(0)),
        new SimPoint.Layout(l1.size() / share, runs / share, splits, merges),
        new SimPoint.Space(levels.fileBytes() / live, levels.fileBytes() / share));
  }
}
