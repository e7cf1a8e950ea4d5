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

/** Runs threads that start together. The first failure of any thread fails the test. */
public final class Crew {

  /** The time limit. Only threads that hang exceed it. */
  static final long HANGING_SECONDS = 120;

  private final List<Callable<?>> jobs = new ArrayList<>();

  /** A job for a separate thread. The thread ends when the job returns. */
  public interface Job {

    /** Does the job. */
    void run() throws Exception;
  }

  /** Adds a job for the given number of threads. */
  public Crew add(int threads, Job job) {
    for (int i = 0; i < threads; i++) {
      jobs.add(() -> {
        job.run();
        return null;
      });
    }
    return this;
  }

  /** Runs all jobs and waits for their end. */
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
