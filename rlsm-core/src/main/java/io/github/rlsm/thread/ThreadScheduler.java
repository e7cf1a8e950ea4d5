// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.thread;

import io.github.rlsm.base.Pause;
import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.kv.ResourceExhaustedException.Resource;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs background work on daemon threads: one each to flush, to prepare and to delete, and a fixed
 * number to compact.
 *
 * <p>Threads: any.
 */
public final class ThreadScheduler implements Scheduler {

  private final Pool flushing;
  private final Pool compacting;
  private final Pool preparing;
  private final Pool deleting;

  /**
   * Starts all threads, so that a lack of threads shows here and not while the store is in use.
   *
   * @param name prefix of the threads' names
   * @param compactThreads number of compaction threads, 1 or more
   * @throws ResourceExhaustedException if a thread cannot be started
   */
  public ThreadScheduler(String name, int compactThreads) {
    this.flushing = new Pool(name + "-flush", 1);
    this.compacting = new Pool(name + "-compact", compactThreads);
    this.preparing = new Pool(name + "-prepare", 1);
    this.deleting = new Pool(name + "-delete", 1);
    try {
      List.of(flushing, compacting, preparing, deleting).forEach(Pool::prestartAllCoreThreads);
    } catch (OutOfMemoryError e) {
      close();
      throw shortage(name, e);
    }
  }

  /**
   * Returns the exception for a failed {@link Thread#start}. The JVM reports a lack of threads as
   * an {@link OutOfMemoryError}.
   *
   * @param name the owner of the thread, for the message
   */
  public static ResourceExhaustedException shortage(String name, OutOfMemoryError failure) {
    return new ResourceExhaustedException("start a thread", name, Resource.THREADS, failure);
  }

  @Override
  public void flush(Runnable task) {
    flushing.execute(task);
  }

  @Override
  public void compact(Runnable task) {
    compacting.execute(task);
  }

  @Override
  public void prepare(Runnable task) {
    preparing.execute(task);
  }

  @Override
  public void delete(Runnable task) {
    deleting.execute(task);
  }

  @Override
  public void later(long nanos, Runnable task) {
    // The JDK's timer, one thread for the whole process, hands the task to the pool.
    CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, flushing).execute(task);
  }

  @Override
  public void close() {
    compacting.end();
    flushing.end();
    preparing.end();
    deleting.end();
  }

  /** A pool with a fixed number of named threads. Drops tasks submitted after its end. */
  private static final class Pool extends ThreadPoolExecutor {

    /** All threads, also replacements of threads that ended with an exception. */
    private final Queue<Thread> started;

    Pool(String name, int threads) {
      this(name, threads, new ConcurrentLinkedQueue<>());
    }

    private Pool(String name, int threads, Queue<Thread> started) {
      super(
          threads,
          threads,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          named(name, started),
          new DiscardPolicy());
      this.started = started;
    }

    private static ThreadFactory named(String name, Queue<Thread> started) {
      AtomicInteger number = new AtomicInteger();
      return task -> {
        Thread thread = new Thread(Cores.anywhere(task), name + "-" + number.incrementAndGet());
        thread.setDaemon(true);
        started.add(thread);
        return thread;
      };
    }

    /** Drops waiting tasks, and returns when all threads have ended. Ignores interrupts. */
    void end() {
      getQueue().clear();
      shutdown();
      // Not awaitTermination: the last thread reports the end of the pool while it still runs.
      started.forEach(Pause::untilEnded);
    }
  }
}
