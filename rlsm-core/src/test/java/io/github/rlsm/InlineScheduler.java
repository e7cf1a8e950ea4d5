// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.engine.Environment;
import io.github.rlsm.engine.Scheduler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Runs background work at once, in the thread that hands it in, so that a run can be replayed event
 * by event. Work handed in by running work waits in a queue that the outermost call drains: no task
 * runs inside another. Time goes by when the test says so.
 *
 * <p>Threads: one thread at a time.
 */
final class InlineScheduler implements Scheduler {

  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private final Deque<Runnable> later = new ArrayDeque<>();
  private boolean held;
  private boolean draining;
  private boolean closed;

  /** A scheduler that lets no work begin before {@link #letGo}. */
  static InlineScheduler held() {
    InlineScheduler scheduler = new InlineScheduler();
    scheduler.held = true;
    return scheduler;
  }

  /** An environment without threads, with a clock that stands still and chance from a seed. */
  static Environment environment(long seed) {
    return new InlineScheduler().environmentOf(seed);
  }

  /** As {@link #environment}, with this scheduler. */
  Environment environmentOf(long seed) {
    return new Environment(() -> 0, new SplittableRandom(seed), this);
  }

  /** Does the work that waits, and later work at once. */
  void letGo() {
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

  /** Lets so much time go by that everything is done that waits for that. */
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
      for (Runnable next = waiting.poll(); next != null; next = waiting.poll()) {
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
