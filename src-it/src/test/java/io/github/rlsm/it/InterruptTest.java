// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.Rlsm;
import io.github.rlsm.RlsmOptions;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.KvStore;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Interrupts callers at random times. Their calls succeed, and the store stays healthy. */
class InterruptTest {

  private static final int INTERRUPTS = Integer.getInteger("rlsm.interrupts", 1000);
  private static final int WORKERS = 3;

  @TempDir
  Path temporary;

  @Test
  void interruptedCallersSucceed() throws InterruptedException {
    AtomicBoolean done = new AtomicBoolean();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Worker[] workers = new Worker[WORKERS];
    RlsmOptions options = RlsmOptions.builder()
        .memoryBudget(1 << 20)
        .logSegmentBytes(32 << 10)
        .partitionBytes(64 << 10)
        .l0Trigger(1)
        .build();
    try (KvStore store = Rlsm.open(temporary.resolve("store"), options)) {
      for (int i = 0; i < WORKERS; i++) {
        workers[i] = new Worker(store, i, done, failure);
        workers[i].start();
      }
      for (int i = 0; i < INTERRUPTS && failure.get() == null; i++) {
        Worker worker = workers[i % WORKERS];
        long seen = worker.calls;
        worker.interrupt();
        while (worker.calls < seen + 2 && worker.isAlive()) {
          LockSupport.parkNanos(20_000);
        }
      }
      done.set(true);
      for (Worker worker : workers) {
        worker.join();
      }
      assertThat(failure.get()).isNull();
      store.verify();
    }
    try (KvStore store = Rlsm.open(temporary.resolve("store"), options)) {
      for (Worker worker : workers) {
        worker.check(store);
      }
    }
  }

  /** Calls the store until it is stopped. */
  private static final class Worker extends Thread {

    private static final int KEYS = 50;

    private final KvStore store;
    private final int number;
    private final AtomicBoolean done;
    private final AtomicReference<Throwable> failure;
    private final int[] last = new int[KEYS];
    private volatile long calls;

    Worker(KvStore store, int number, AtomicBoolean done, AtomicReference<Throwable> failure) {
      super("worker-" + number);
      this.store = store;
      this.number = number;
      this.done = done;
      this.failure = failure;
    }

    @Override
    public void run() {
      try {
        for (int i = 1; !done.get(); i++) {
          work(i);
          calls = i;
        }
      } catch (Throwable e) {
        failure.compareAndSet(null, e);
      }
    }

    private void work(int round) {
      int index = round % KEYS;
      Durability durability = round % 40 == 0 ? Durability.SYNC : Durability.OS;
      store.put(key(index), value(round), durability);
      last[index] = round;
      assertThat(store.get(key(index))).isEqualTo(value(round));
      if (round % 100 == 0) {
        try (KvIterator all = store.scan()) {
          assertThat(all.next()).isTrue();
        }
      }
      if (round % 500 == 0) {
        store.flush();
        store.keyspace("keyspace " + number + " " + round / 500 % 10);
      }
    }

    void check(KvStore reopened) {
      for (int i = 0; i < KEYS; i++) {
        if (last[i] > 0) {
          assertThat(reopened.get(key(i))).isEqualTo(value(last[i]));
        }
      }
    }

    private byte[] key(int index) {
      return new byte[] {(byte) number, (byte) index};
    }

    private static byte[] value(int round) {
      return ByteBuffer.allocate(Integer.BYTES + round % 7 * 150).putInt(round).array();
    }
  }
}
