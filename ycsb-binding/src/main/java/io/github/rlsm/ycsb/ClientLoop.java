// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import site.ycsb.DBException;
import site.ycsb.WorkloadException;

/**
 * One client thread of a phase. Executes its share of the operations, one after another.
 *
 * <p>Threads: runs on one thread; any thread may read {@link #done}.
 */
final class ClientLoop {

  /**
   * The state that the loops of a phase share.
   *
   * @param workload chooses the operations
   * @param properties YCSB's properties
   * @param threads number of loops
   * @param load whether to insert records instead of running the workload's operations
   * @param intervalNanos time between starts of a thread's operations; 0 without a target
   * @param stop true when all loops must end early; a loop with a failed insert sets it too
   */
  record Phase(
      MeasuredWorkload workload,
      Properties properties,
      int threads,
      boolean load,
      long intervalNanos,
      AtomicBoolean stop) {}

  private final Phase phase;
  private final MeasuredClient client;
  private final int index;
  private final long quota;

  /** Written by the loop's thread only. It is atomic for the sake of reader threads. */
  private final AtomicLong done = new AtomicLong();

  ClientLoop(Phase phase, MeasuredClient client, int index, long quota) {
    this.phase = phase;
    this.client = client;
    this.index = index;
    this.quota = quota;
  }

  /** The number of completed operations. */
  long done() {
    return done.get();
  }

  /** Makes all loops of the phase end after their current operation. */
  void stopAll() {
    phase.stop().set(true);
  }

  /** The measurements. Call this only after the loop has ended. */
  Latencies latencies() {
    return client.latencies();
  }

  /**
   * Connects, waits until all loops are connected, and executes the operations.
   *
   * @param ready counted down when this loop has connected or has failed to connect
   * @param go opens when all loops may begin
   */
  void run(CountDownLatch ready, CountDownLatch go)
      throws DBException, WorkloadException, InterruptedException {
    try {
      client.init();
    } finally {
      ready.countDown();
    }
    try {
      Object state = phase.workload().initThread(phase.properties(), index, phase.threads());
      go.await();
      work(state);
    } finally {
      client.cleanup();
    }
  }

  private void work(@Nullable Object state) {
    // With a target, the threads start evenly spaced.
    long start = System.nanoTime() + phase.intervalNanos() / phase.threads() * index;
    for (long i = 0; i < quota && !phase.stop().get(); i++) {
      if (phase.intervalNanos() > 0) {
        long intended = start + i * phase.intervalNanos();
        parkUntil(intended);
        client.intendedStart(intended);
      }
      boolean more = phase.load()
          ? phase.workload().doInsert(client, state)
          : phase.workload().doTransaction(client, state);
      done.setRelease(i + 1);
      if (!more) {
        stopAll();
      }
    }
  }

  private static void parkUntil(long nanoTime) {
    for (long left = nanoTime - System.nanoTime(); left > 0; left = nanoTime - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
