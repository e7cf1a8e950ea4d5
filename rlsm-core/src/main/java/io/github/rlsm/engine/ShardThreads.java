// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The daemon threads of a store of several shards: one for each worker, and a few, only while they
 * are needed, that complete asynchronous calls.
 */
public final class ShardThreads implements ThreadFactory, Executor {

  private static final int IDLE_SECONDS = 5;

  private final ThreadPoolExecutor completions;

  /** A core for each worker; none to let them run anywhere. */
  private final int[] cores;

  private final AtomicInteger workers = new AtomicInteger();

  /** As the longer form, with workers that run anywhere. */
  public ShardThreads(String name, int completing) {
    this(name, completing, 0);
  }

  /**
   * Starts no thread yet.
   *
   * @param name how the names of the completing threads begin
   * @param completing how many of them there may be, 1 or more
   * @param pinned how many workers there will be, each to be kept on a core of its own if there are
   *     as many cores; 0 to let them run anywhere
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
