// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.thread;

/**
 * Runs background work. Tests use an implementation that runs each task at once in the calling
 * thread, so that a run can be replayed event by event.
 *
 * <p>Threads: any may submit work.
 */
public interface Scheduler extends AutoCloseable {

  /** Runs a task on the flush thread: one at a time, in submission order. */
  void flush(Runnable task);

  /** Runs a task on one of the compaction threads. */
  void compact(Runnable task);

  /**
   * Runs a task on the preparation thread: one at a time, in submission order. A separate thread,
   * because writers soon need its results and should not wait for other work.
   */
  void prepare(Runnable task);

  /**
   * Runs a task on the deletion thread: one at a time, in submission order. A separate thread,
   * because some devices take a second to discard the blocks of a large file.
   */
  void delete(Runnable task);

  /** Runs a task on the flush thread once, after a delay in nanoseconds. */
  void later(long nanos, Runnable task);

  /** Drops waiting tasks, and waits until no task runs. */
  @Override
  void close();
}
