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
 * Numbered tasks that a job's own thread does together with whichever threads have nothing else to
 * do: each takes the next one until there is none. A thread that comes when all are taken does
 * nothing, so the job never waits for one that does not come, such as one that waits for the job.
 *
 * <p>Threads: one calls {@link #run}; the others are its business.
 */
final class SharedTasks {

  private final IntConsumer task;
  private final Executor helpers;
  private final AtomicInteger next = new AtomicInteger();
  private final CompletableFuture<?>[] done;

  /** Then what is left is for nothing. */
  private volatile boolean failed;

  private SharedTasks(int count, IntConsumer task, Executor helpers) {
    this.task = task;
    this.helpers = helpers;
    this.done = new CompletableFuture<?>[count];
    Arrays.setAll(done, i -> new CompletableFuture<Void>());
  }

  /**
   * Returns when all tasks are done. Throws what one of them has thrown, as soon as no thread is at
   * work on any; those that nobody has begun by then are left out.
   *
   * @param count how many there are
   * @param task does the one of a number; called by several threads
   * @param helpers may run what they are given late, or never
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

  /** Does the next task, if there is one. Returns whether there was. */
  private boolean takeNext() {
    int number = next.getAndIncrement();
    if (number >= done.length) {
      return false;
    }
    try {
      if (number + 1 < done.length) {
        // One task at a time, so that what else a helper has to do gets its turn.
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
