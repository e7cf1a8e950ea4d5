// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

/**
 * Where background work runs. Tests put one in its place that runs everything at once, in the
 * calling thread, so that a run can be replayed event by event.
 *
 * <p>Threads: any may hand in work.
 */
public interface Scheduler extends AutoCloseable {

  /** Runs a task of the flushing thread: one at a time, in the order they came. */
  void flush(Runnable task);

  /** Runs a task of the compacting threads. */
  void compact(Runnable task);

  /**
   * Runs a task of the preparing thread: one at a time, in the order they came. Writers will soon
   * need what it makes, and should not have to wait for anything else.
   */
  void prepare(Runnable task);

  /**
   * Runs a task of the deleting thread: one at a time, in the order they came. Some devices take a
   * second to forget what a large file had, during which nothing else should wait.
   */
  void delete(Runnable task);

  /** Runs a task of the flushing thread once, when so many nanoseconds have gone by. */
  void later(long nanos, Runnable task);

  /** Lets running tasks end, and drops those that wait. Returns when no task runs any more. */
  @Override
  void close();
}
