// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Decides what to compact, clean, split and merge, and how much to slow writers down: pure
 * functions of metadata, with no I/O, no clock and no chance in them. The embedded engine, the
 * HBase plug-in and the simulator run the same code.
 *
 * <p>Doors: {@link io.github.rlsm.policy.BalancePlanner} answers "which job next?" for a
 * {@link io.github.rlsm.policy.LevelShape}; {@link io.github.rlsm.policy.StallPolicy} answers "how
 * long does this write wait?"; {@link io.github.rlsm.policy.CollectPlanner} answers "which value
 * segment is freed next?" for a {@link io.github.rlsm.policy.SpaceShape}. The planners below the
 * first door may be asked on their own.
 *
 * <p>Invariants kept by every plan:
 *
 * <ol>
 *   <li><b>Recency.</b> A key's versions are met newest first when L0 is searched from newest to
 *       oldest and then the one partition of the key from newest to oldest run. Kept by
 *       {@link io.github.rlsm.policy.VictimPicker} (what leaves L0),
 *       {@link io.github.rlsm.policy.AppendPlanner} (order of the new runs),
 *       {@link io.github.rlsm.policy.CleanPlanner} (contiguous run ranges) and
 *       {@link io.github.rlsm.policy.MergePlanner} (order within each side).
 *   <li><b>Disjointness.</b> Partition ranges never overlap, also while several plans run at once.
 *       Kept by {@link io.github.rlsm.policy.Busy}.
 *   <li><b>Targets are not read.</b> A compaction only appends runs; the bytes of a partition are
 *       rewritten by {@link io.github.rlsm.policy.CleanPlan} alone.
 * </ol>
 *
 * <p>May import: {@code base}, {@code kv}. Everything here is immutable and safe for any thread.
 */
@NullMarked
package io.github.rlsm.policy;

import org.jspecify.annotations.NullMarked;
