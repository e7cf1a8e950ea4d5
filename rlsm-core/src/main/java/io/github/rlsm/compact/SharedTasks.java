// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.io.MappedFaults;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Runs numbered tasks on the thread of a job and on idle helper threads. Each thread takes the next
 * task until none is left. A helper that starts after all tasks are taken does nothing. So the job
 * never waits for a helper that does not start, for example because the helper waits for the job.
 *
 * <p>Threads: one thread calls {@link #run}, which synchronizes the helpers.
 */
final class SharedTasks {

  private final IntConsumer task;
  private final Executor helpers;
  private final AtomicInteger next = new AtomicInteger();
  private final CompletableFuture<?>[] done;

  /** After a failure, tasks that have not started are skipped. */
  private volatile boolean failed;

  private SharedTasks(int count, IntConsumer task, Executor helpers) {
    this.task = task;
    this.helpers = helpers;
    this.done = new CompletableFuture<?>[count];
    Arrays.setAll(done, i -> new CompletableFuture<Void>());
  }

  /**
   * Runs all tasks and returns when they are done. If a task fails, tasks that have not started are
   * skipped. The failure is thrown when no task runs any more.
   *
   * @param count the number of tasks
   * @param task runs the task with the given number; called by several threads
   * @param helpers may run the tasks submitted to it late, or never
   */
  static void run(int count, IntConsumer task, Executor helpers) {
    SharedTasks tasks = new SharedTasks(count, task, helpers);
    while (tasks.takeNext()) {}
    try {
      CompletableFuture.allOf(tasks.done).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw (Error) e.getCause();
    }
  }

  /** Runs the next task. Returns false if all are taken. */
  private boolean takeNext() {
    int number = next.getAndIncrement();
    if (number >= done.length) {
      return false;
    }
    try {
      if (number + 1 < done.length) {
        // A helper runs one task at a time, so that its other work gets a turn in between.
        helpers.execute(this::takeNext);
      }
      if (!failed) {
        try {
          task.accept(number);
        } finally {
          MappedFaults.check();
        }
      }
      done[number].complete(null);
    } catch (RuntimeException | Error e) {
      failed = true;
      done[number].completeExceptionally(MappedFaults.cause(e));
    }
    return true;
  }
}
