// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Background work on daemon threads: one that flushes, and a fixed number that compact. */
public final class ThreadScheduler implements Scheduler {

  private final ThreadPoolExecutor flushing;
  private final ThreadPoolExecutor compacting;

  /**
   * Starts no thread before there is work.
   *
   * @param name how the threads' names begin
   * @param compactThreads how many compact, 1 or more
   */
  public ThreadScheduler(String name, int compactThreads) {
    this.flushing = pool(name + "-flush", 1);
    this.compacting = pool(name + "-compact", compactThreads);
  }

  private static ThreadPoolExecutor pool(String name, int threads) {
    AtomicInteger number = new AtomicInteger();
    ThreadFactory factory =
        task -> {
          Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        };
    return new ThreadPoolExecutor(
        threads,
        threads,
        0,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(),
        factory,
        new ThreadPoolExecutor.DiscardPolicy());
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
  public void close() {
    close(compacting);
    close(flushing);
  }

  private static void close(ThreadPoolExecutor pool) {
    pool.getQueue().clear();
    pool.shutdown();
    awaitTermination(pool);
  }

  private static void awaitTermination(ExecutorService pool) {
    boolean interrupted = false;
    while (!pool.isTerminated()) {
      try {
        if (pool.awaitTermination(1, TimeUnit.HOURS)) {
          break;
        }
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      InterruptFlag.restore();
    }
  }
}
