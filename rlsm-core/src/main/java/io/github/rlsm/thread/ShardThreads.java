// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.thread;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The daemon threads of a store's calls: one for each worker of a sharded store, and a pool that
 * completes asynchronous calls. Idle pool threads end.
 *
 * <p>Threads: any.
 */
public final class ShardThreads implements ThreadFactory, Executor {

  private static final int IDLE_SECONDS = 5;

  private final ThreadPoolExecutor completions;

  /** The core of each worker; empty if workers are not pinned. */
  private final int[] cores;

  private final AtomicInteger workers = new AtomicInteger();

  /** As {@link #ShardThreads(String, int, int)}, without pinned workers. */
  public ShardThreads(String name, int completing) {
    this(name, completing, 0);
  }

  /**
   * Creates the factory. Starts no thread yet.
   *
   * @param name prefix of the names of completion threads
   * @param completing maximum number of completion threads, 1 or more
   * @param pinned number of workers to pin, each to a separate core if there are enough; 0 pins
   *     none
   */
  public ShardThreads(String name, int completing, int pinned) {
    AtomicInteger number = new AtomicInteger();
    this.cores = pinned == 0 ? new int[0] : Cores.forEach(pinned);
    this.completions = new ThreadPoolExecutor(
        completing,
        completing,
        IDLE_SECONDS,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(),
        task -> daemon(Cores.anywhere(task), name + "-complete-" + number.incrementAndGet()));
    completions.allowCoreThreadTimeOut(true);
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public Thread newThread(Runnable task) {
    int worker = workers.getAndIncrement();
    return daemon(worker < cores.length ? Cores.on(cores[worker], task) : task, "rlsm-shard");
  }

  @Override
  public void execute(Runnable task) {
    completions.execute(task);
  }
}
