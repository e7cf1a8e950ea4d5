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

  /**
   * Starts no thread yet.
   *
   * @param name how the names of the completing threads begin
   * @param completing how many of them there may be, 1 or more
   */
  public ShardThreads(String name, int completing) {
    AtomicInteger number = new AtomicInteger();
    this.completions = new ThreadPoolExecutor(
        completing,
        completing,
        IDLE_SECONDS,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(),
        task -> daemon(task, name + "-complete-" + number.incrementAndGet()));
    completions.allowCoreThreadTimeOut(true);
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public Thread newThread(Runnable task) {
    return daemon(task, "rlsm-shard");
  }

  @Override
  public void execute(Runnable task) {
    completions.execute(task);
  }
}
