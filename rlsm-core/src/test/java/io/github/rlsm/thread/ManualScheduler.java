// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.thread;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Keeps background work until a test runs it, task by task, in the test's own thread.
 *
 * <p>Threads: one thread.
 */
public final class ManualScheduler implements Scheduler {

  private final Deque<Runnable> flushing = new ArrayDeque<>();
  private final Deque<Runnable> compacting = new ArrayDeque<>();
  private final Deque<Runnable> timed = new ArrayDeque<>();

  @Override
  public void flush(Runnable task) {
    flushing.add(task);
  }

  @Override
  public void compact(Runnable task) {
    compacting.add(task);
  }

  @Override
  public void prepare(Runnable task) {
    flushing.add(task);
  }

  @Override
  public void delete(Runnable task) {
    flushing.add(task);
  }

  @Override
  public void later(long nanos, Runnable task) {
    timed.add(task);
  }

  /** Lets time pass until the next delayed task is due, and runs it. */
  public void elapse() {
    run(timed.poll());
  }

  /** Runs the oldest task of the flushing thread. Returns whether there was one. */
  public boolean runFlushTask() {
    return run(flushing.poll());
  }

  /** Runs the oldest task of the compacting threads. Returns whether there was one. */
  public boolean runCompactTask() {
    return run(compacting.poll());
  }

  private static boolean run(Runnable task) {
    if (task == null) {
      return false;
    }
    task.run();
    return true;
  }

  @Override
  public void close() {
    flushing.clear();
    compacting.clear();
    timed.clear();
  }
}
