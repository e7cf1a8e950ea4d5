// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The threads of a store, and the {@link io.github.rlsm.thread.Environment} that a store gets from
 * its opener: clock, randomness and threads. Tests replace all three, so that they control the
 * schedule and can replay a run. Only this package creates threads.
 *
 * <p>Entry points: {@link io.github.rlsm.thread.Scheduler}, which runs background work, and
 * {@link io.github.rlsm.thread.ThreadScheduler}, which does so on threads;
 * {@link io.github.rlsm.thread.ShardThreads}, the threads of a store with shards. May import:
 * {@code base} and {@code kv}.
 *
 * <p>Invariants kept here:
 *
 * <ol>
 *   <li>Every thread is a daemon with a name.
 *   <li>A lack of threads shows when the store is opened.
 *   <li>A thread that a pinned thread creates is not pinned ({@code Cores}).
 * </ol>
 */
@NullMarked
package io.github.rlsm.thread;

import org.jspecify.annotations.NullMarked;
