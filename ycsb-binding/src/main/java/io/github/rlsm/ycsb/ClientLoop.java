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
 * One client thread of a phase: its share of the operations, one after another.
 *
 * <p>Threads: runs on one thread; {@link #done} may be read by any.
 */
final class ClientLoop {

  /**
   * What the loops of a phase have in common.
   *
   * @param workload decides what is done
   * @param properties of YCSB
   * @param threads how many loops there are
   * @param load whether records are inserted, instead of the workload's operations
   * @param intervalNanos the time from one operation of a thread to its next; 0 for none
   * @param stop turns true when all loops have to end early, also by a loop whose insert failed
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

  /**
   * Written by the loop's thread only; a plain store would be enough were it not for the readers.
   */
  private final AtomicLong done = new AtomicLong();

  ClientLoop(Phase phase, MeasuredClient client, int index, long quota) {
    this.phase = phase;
    this.client = client;
    this.index = index;
    this.quota = quota;
  }

  /** How many operations have ended. */
  long done() {
    return done.get();
  }

  /** Makes all loops of the phase end after the operation they are in. */
  void stopAll() {
    phase.stop().set(true);
  }

  /** What was measured; to be read when the loop has ended. */
  Latencies latencies() {
    return client.latencies();
  }

  /**
   * Connects, waits until all loops have, and works.
   *
   * @param ready counted down once this loop is connected, or has failed to
   * @param go opens when all loops are to begin
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
    // With a target, the threads take turns.
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
