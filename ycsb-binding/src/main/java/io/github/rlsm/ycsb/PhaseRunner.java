// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import site.ycsb.WorkloadException;
import site.ycsb.db.rlsm.RlsmClient;
import site.ycsb.measurements.Measurements;

/**
 * Runs a load or a workload with client threads and measures it.
 *
 * <p>Threads: one phase at a time; {@link #stop} may be called from any thread.
 */
final class PhaseRunner {

  private static final long PROGRESS_MILLIS = 250;

  private final LaunchOptions options;
  private final PrintStream progressOut;

  /** Guards the replacement of {@link #stopRunning} against a concurrent stop. */
  private final Object lock = new Object();

  private boolean stopped;
  private AtomicBoolean stopRunning = new AtomicBoolean();

  PhaseRunner(LaunchOptions options, PrintStream progressOut) {
    this.options = options;
    this.progressOut = progressOut;
  }

  /**
   * The outcome of a phase.
   *
   * @param operations completed operations, successful or not
   * @param seconds time from the start of the first operation to the end of the last
   * @param latencies latencies of all threads
   * @param verified results of data integrity mode
   */
  record Outcome(long operations, double seconds, Latencies latencies, VerifiedRows verified) {}

  /** Makes the running phase end soon, and later phases end at once. */
  void stop() {
    synchronized (lock) {
      stopped = true;
      stopRunning.set(true);
    }
  }

  /** Whether {@link #stop} was called. */
  boolean isStopped() {
    synchronized (lock) {
      return stopped;
    }
  }

  /**
   * Runs a phase to its end.
   *
   * @param name name to show with the progress
   * @param properties YCSB's properties
   * @param operations number of operations of all threads
   * @param load whether to insert the records instead of running the workload's operations
   * @throws PhaseFailedException if a client could not connect or threw an exception
   */
  Outcome run(String name, Properties properties, long operations, boolean load)
      throws InterruptedException, PhaseFailedException {
    Measurements.setProperties(properties);
    MeasuredWorkload workload = new MeasuredWorkload();
    try {
      workload.init(properties);
    } catch (WorkloadException e) {
      throw new PhaseFailedException(name, e);
    }
    VerifiedRows before = VerifiedRows.counted(0);
    List<ClientLoop> loops = loops(properties, operations, load, workload);
    double seconds = runAll(name, operations, loops);
    Latencies latencies = new Latencies();
    loops.forEach(loop -> latencies.add(loop.latencies()));
    long done = loops.stream().mapToLong(ClientLoop::done).sum();
    VerifiedRows verified = VerifiedRows.counted(workload.incompleteRows()).since(before);
    return new Outcome(done, seconds, latencies, verified);
  }

  private List<ClientLoop> loops(
      Properties properties, long operations, boolean load, MeasuredWorkload workload) {
    int threads = options.threads;
    long interval =
        options.target == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) * threads / options.target;
    AtomicBoolean stop = nextStopSignal();
    ClientLoop.Phase phase =
        new ClientLoop.Phase(workload, properties, threads, load, interval, stop);
    List<ClientLoop> loops = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      MeasuredClient client = new MeasuredClient(new RlsmClient());
      client.setProperties(properties);
      long quota = operations / threads + (i < operations % threads ? 1 : 0);
      loops.add(new ClientLoop(phase, client, i, quota));
    }
    return loops;
  }

  /** The signal that ends the next phase early. {@link #stop} or one of the loops sets it. */
  private AtomicBoolean nextStopSignal() {
    synchronized (lock) {
      stopRunning = new AtomicBoolean(stopped);
      return stopRunning;
    }
  }

  /** Runs the loops and returns the seconds they took. */
  private double runAll(String name, long operations, List<ClientLoop> loops)
      throws InterruptedException, PhaseFailedException {
    AtomicInteger number = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(
        loops.size(), work -> new Thread(work, "ycsb-client-" + number.getAndIncrement()));
    CountDownLatch ready = new CountDownLatch(loops.size());
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(loops.size());
    List<Future<?>> futures = new ArrayList<>();
    for (ClientLoop loop : loops) {
      futures.add(threads.submit(() -> {
        boolean good = false;
        try {
          loop.run(ready, go);
          good = true;
        } finally {
          if (!good) {
            loop.stopAll();
          }
          ended.countDown();
        }
        return null;
      }));
    }
    threads.shutdown();
    ready.await();
    long start = System.nanoTime();
    go.countDown();
    double seconds;
    try (Progress progress = options.progress.start(name, operations, progressOut)) {
      boolean running = true;
      while (running) {
        running = !ended.await(PROGRESS_MILLIS, TimeUnit.MILLISECONDS);
        long done = loops.stream().mapToLong(ClientLoop::done).sum();
        progress.update(done, done / secondsSince(start));
      }
      seconds = secondsSince(start);
    }
    throwFirstFailure(name, futures);
    return seconds;
  }

  private static double secondsSince(long nanoTime) {
    return Math.max(System.nanoTime() - nanoTime, 1) / 1e9;
  }

  private static void throwFirstFailure(String name, List<Future<?>> futures)
      throws InterruptedException, PhaseFailedException {
    for (Future<?> future : futures) {
      try {
        future.get();
      } catch (ExecutionException e) {
        throw new PhaseFailedException(name, e.getCause() == null ? e : e.getCause());
      }
    }
  }
}
