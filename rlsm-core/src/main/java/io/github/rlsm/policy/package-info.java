// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Decides which compaction, clean, split or merge runs next, and how much to slow writers down. All
 * decisions are pure functions of metadata: no I/O, no clock, no randomness. The embedded engine,
 * the HBase plug-in and the simulator run the same code.
 *
 * <p>Entry points:
 *
 * <ul>
 *   <li>{@link io.github.rlsm.policy.CompactionPicker}: the next job for a
 *       {@link io.github.rlsm.policy.LevelShape}. The HBase plug-in calls
 *       {@link io.github.rlsm.policy.VictimPicker} and {@link io.github.rlsm.policy.CleanPlanner}
 *       directly.
 *   <li>{@link io.github.rlsm.policy.StallPolicy}: how long a write waits.
 *   <li>{@link io.github.rlsm.policy.CollectPlanner}: which value segments to reclaim, and in which
 *       partition next, for a {@link io.github.rlsm.policy.ValueUse}.
 * </ul>
 *
 * <p>The metadata that decisions read are a {@link io.github.rlsm.policy.LevelShape} of
 * {@link io.github.rlsm.policy.PartitionShape}s and {@link io.github.rlsm.policy.RunShape}s, and
 * the figures that a {@link io.github.rlsm.policy.RunMetrics}, a
 * {@link io.github.rlsm.policy.ScanCosts} and a {@link io.github.rlsm.policy.ValueUse} supply. A
 * decision is a {@link io.github.rlsm.policy.Plan}. The thresholds are
 * {@link io.github.rlsm.policy.PolicySettings}, {@link io.github.rlsm.policy.CollectSettings} and
 * {@link io.github.rlsm.policy.StallPolicy.Limits}.
 *
 * <p>Every plan keeps these invariants:
 *
 * <ol>
 *   <li><b>Recency.</b> A search meets a key's versions newest first: L0 from newest to oldest,
 *       then the runs of the key's partition from newest to oldest. Maintained by
 *       {@link io.github.rlsm.policy.VictimPicker} (choice of victims),
 *       {@link io.github.rlsm.policy.AppendPlanner} (order of the new runs),
 *       {@link io.github.rlsm.policy.CleanPlanner} (contiguous ranges of runs) and
 *       {@link io.github.rlsm.policy.ReshapePlanner} (order within each side).
 *   <li><b>Disjointness.</b> Partition ranges never overlap, even while several plans run.
 *       Maintained by {@link io.github.rlsm.policy.RunningPlans}.
 *   <li><b>Targets are not read.</b> A compaction only appends runs. Only a
 *       {@link io.github.rlsm.policy.Plan.Clean} rewrites data of a partition.
 * </ol>
 *
 * <p>May import: {@code base}, {@code kv}. All types are immutable and thread-safe.
 */
@NullMarked
package io.github.rlsm.policy;

import org.jspecify.annotations.NullMarked;
