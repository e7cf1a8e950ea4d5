// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs threads that start together and whose failures fail the test. */
final class Workers {

  /** The time limit. Only a store that hangs exceeds it. */
  private static final long HANGING_SECONDS = 120;

  private Workers() {}

  /** The work of one thread. */
  interface Body {

    /** Runs in the thread with this number, counted from 0. */
    void run(int thread) throws Exception;
  }

  /** Runs the body in this many threads at once and returns when all are done. */
  static void run(int threads, Body body) throws Exception {
    List<Body> bodies = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int number = i;
      bodies.add(ignored -> body.run(number));
    }
    run(bodies.toArray(Body[]::new));
  }

  /** Runs each body in a separate thread, all at once, and returns when all are done. */
  static void run(Body... bodies) throws Exception {
    AtomicInteger names = new AtomicInteger();
    ExecutorService pool = Executors.newFixedThreadPool(bodies.length, task -> {
      Thread thread = new Thread(task, "worker-" + names.getAndIncrement());
      thread.setDaemon(true);
      return thread;
    });
    try {
      CyclicBarrier start = new CyclicBarrier(bodies.length);
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < bodies.length; i++) {
        int number = i;
        running.add(pool.submit(() -> {
          start.await();
          bodies[number].run(number);
          return null;
        }));
      }
      await(running);
    } finally {
      pool.shutdown();
    }
  }

  /** Waits for an event that another thread is certain to cause. */
  static void await(CountDownLatch latch) {
    try {
      if (!latch.await(HANGING_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("the other thread does not come");
      }
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted while waiting for another thread", e);
    }
  }

  private static void await(List<Future<?>> running) throws Exception {
    for (Future<?> future : running) {
      try {
        future.get(HANGING_SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        throw new AssertionError("a thread failed: " + e.getCause(), e.getCause());
      } catch (TimeoutException e) {
        throw new AssertionError("threads hang", e);
      }
    }
  }
}
