// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that start together; the first failure of one fails the test. */
public final class Crew {

  /** Only threads that hang take this long. */
  private static final long HANGING_SECONDS = 120;

  private final List<Callable<?>> jobs = new ArrayList<>();

  /** A job to be done in a thread of its own, until it returns. */
  public interface Job {

    /** Does it. */
    void run() throws Exception;
  }

  /** Adds a job, to be done by that many threads. */
  public Crew add(int threads, Job job) {
    for (int i = 0; i < threads; i++) {
      jobs.add(() -> {
        job.run();
        return null;
      });
    }
    return this;
  }

  /** Runs all jobs to their ends. */
  public void run() throws Exception {
    AtomicInteger names = new AtomicInteger();
    ExecutorService pool = Executors.newFixedThreadPool(jobs.size(), task -> {
      Thread thread = new Thread(task, "crew-" + names.getAndIncrement());
      thread.setDaemon(true);
      return thread;
    });
    CyclicBarrier start = new CyclicBarrier(jobs.size());
    List<Future<?>> running = new ArrayList<>();
    for (Callable<?> job : jobs) {
      running.add(pool.submit(() -> {
        start.await();
        return job.call();
      }));
    }
    pool.shutdown();
    for (Future<?> job : running) {
      try {
        job.get(HANGING_SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof AssertionError failed) {
          throw failed;
        }
        throw e;
      }
    }
  }
}
