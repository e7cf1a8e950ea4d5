// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.thread.Environment;
import io.github.rlsm.thread.Scheduler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Runs background work immediately, in the thread that submits it, so that a run can be replayed
 * event by event. Work submitted by running work waits in a queue that the outermost call drains:
 * no task runs inside another. Time passes only when the test says so. Fails if background work
 * makes itself due again without end.
 *
 * <p>Threads: one thread at a time.
 */
final class InlineScheduler implements Scheduler {

  /** More tasks in one call than this are taken for work without end. */
  private static final int TASKS_MAX = 20_000;

  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private final Deque<Runnable> later = new ArrayDeque<>();
  private boolean held;
  private boolean draining;
  private boolean closed;

  /** Returns a scheduler that starts no work before {@link #start}. */
  static InlineScheduler held() {
    InlineScheduler scheduler = new InlineScheduler();
    scheduler.held = true;
    return scheduler;
  }

  /** Returns an environment without threads, with a stopped clock and seeded randomness. */
  static Environment environment(long seed) {
    return new InlineScheduler().environmentOf(seed);
  }

  /** As {@link #environment}, with this scheduler. */
  Environment environmentOf(long seed) {
    return new Environment(() -> 0, new SplittableRandom(seed), this);
  }

  /** Runs the waiting work, and runs later work immediately. */
  void start() {
    held = false;
    run(() -> {});
  }

  @Override
  public void flush(Runnable task) {
    run(task);
  }

  @Override
  public void compact(Runnable task) {
    run(task);
  }

  @Override
  public void prepare(Runnable task) {
    run(task);
  }

  @Override
  public void delete(Runnable task) {
    run(task);
  }

  @Override
  public void later(long nanos, Runnable task) {
    later.add(task);
  }

  /** Lets enough time pass for all delayed work, and runs it. */
  void elapse() {
    List<Runnable> due = new ArrayList<>(later);
    later.clear();
    due.forEach(this::run);
  }

  private void run(Runnable task) {
    if (closed) {
      return;
    }
    waiting.add(task);
    if (draining || held) {
      return;
    }
    draining = true;
    try {
      int done = 0;
      for (Runnable next = waiting.poll(); next != null; next = waiting.poll()) {
        if (++done > TASKS_MAX) {
          waiting.clear();
          throw new AssertionError("the background work of one call does not end");
        }
        next.run();
      }
    } finally {
      draining = false;
    }
  }

  @Override
  public void close() {
    closed = true;
    waiting.clear();
    later.clear();
  }
}
