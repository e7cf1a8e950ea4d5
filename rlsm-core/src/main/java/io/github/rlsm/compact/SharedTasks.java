// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.rlsm.io.MappedFaults;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a job. Idle helper threads run them, and the thread of the job does when it has
 * nothing else to do. Tasks begin in the order in which they were added. A helper that starts when
 * no task is left does nothing. So the job never waits for a helper that does not start, for
 * example because the helper waits for the job.
 *
 * <p>After the first failure, tasks that have not begun are dropped.
 *
 * <p>Threads: any thread runs tasks. All other methods are for the thread of the job.
 */
final class SharedTasks implements AutoCloseable {

  private final Executor helpers;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition taskEnded = lock.newCondition();

  @GuardedBy("lock")
  private final Queue<Runnable> waiting = new ArrayDeque<>();

  @GuardedBy("lock")
  private int running;

  /** The number of tasks that have ended. */
  @GuardedBy("lock")
  private long ended;

  @GuardedBy("lock")
  private @Nullable Throwable failure;

  /**
   * Creates an empty queue.
   *
   * @param helpers may run the tasks submitted to it late, or never
   */
  SharedTasks(Executor helpers) {
    this.helpers = helpers;
  }

  /** Adds a task, and invites a helper to run it. */
  void add(Runnable task) {
    lock.lock();
    try {
      if (failure != null) {
        return;
      }
      waiting.add(task);
    } finally {
      lock.unlock();
    }
    // A helper runs one task for each invitation, so that its other work gets a turn in between.
    helpers.execute(this::runNext);
  }

  /**
   * Runs tasks until a condition holds, or until all tasks have ended. If other threads run the
   * last tasks, waits for them.
   *
   * @param enough evaluated first, and after each task
   * @throws RuntimeException the first failure of a task, when no task runs any more; or an error
   */
  void runUntil(BooleanSupplier enough) {
    while (!enough.getAsBoolean()) {
      if (!runNext() && !awaitEnd(enough)) {
        break;
      }
    }
    Throwable failed = failure();
    if (failed != null) {
      close();
      if (failed instanceof RuntimeException exception) {
        throw exception;
      }
      throw (Error) failed;
    }
  }

  private @Nullable Throwable failure() {
    lock.lock();
    try {
      return failure;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for the end of a task, unless a task waits or the condition holds. Returns false if there
   * are no tasks.
   */
  private boolean awaitEnd(BooleanSupplier enough) {
    lock.lock();
    try {
      long before = ended;
      boolean waits = !enough.getAsBoolean();
      while (waits && waiting.isEmpty() && running > 0 && ended == before) {
        taskEnded.awaitUninterruptibly();
      }
      return !waiting.isEmpty() || running > 0;
    } finally {
      lock.unlock();
    }
  }

  /** Runs the next task. Returns false if none waits. */
  private boolean runNext() {
    Runnable task;
    lock.lock();
    try {
      task = waiting.poll();
      if (task == null) {
        return false;
      }
      running++;
    } finally {
      lock.unlock();
    }
    Throwable failed = null;
    try {
      try {
        task.run();
      } finally {
        MappedFaults.check();
      }
    } catch (RuntimeException | Error e) {
      failed = MappedFaults.cause(e);
    }
    end(failed);
    return true;
  }

  private void end(@Nullable Throwable failed) {
    lock.lock();
    try {
      running--;
      ended++;
      if (failed != null) {
        failure = failure == null ? failed : failure;
        waiting.clear();
      }
      taskEnded.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Drops the tasks that have not begun, and waits until the others have ended. */
  @Override
  public void close() {
    lock.lock();
    try {
      waiting.clear();
      while (running > 0) {
        taskEnded.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }
}
