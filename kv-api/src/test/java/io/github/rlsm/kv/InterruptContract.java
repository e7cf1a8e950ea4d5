// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import static io.github.rlsm.kv.TestBytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests interrupts of calling threads: calls finish, the interrupt stays pending, and the store
 * stays intact. The JVM closes the file channel of an interrupted thread; a store must prevent
 * that.
 */
abstract class InterruptContract extends ContractFixture {

  /** Keeps the interrupt of a failed test from reaching the next test. */
  @AfterEach
  void clearInterrupt() {
    Thread.interrupted();
  }

  @Test
  void everyMethodWorksInAnInterruptedThread() {
    Keyspace named = store.keyspace("named");
    for (int i = 0; i < 50; i++) {
      store.put(bytes("key " + i), TestBytes.random(i, i * 100));
      named.put(bytes("key " + i), TestBytes.random(i, i * 100));
    }
    store.flush();
    try (Snapshot snapshot = store.snapshot()) {
      assertWorksInterrupted(Snapshot.class, snapshot);
      assertWorksInterrupted(KvReader.class, snapshot.in(named));
    }
    assertWorksInterrupted(KvStore.class, store);
    assertWorksInterrupted(Keyspace.class, named);
    assertThat(entries(named).size()).isGreaterThanOrEqualTo(50);
    store.put(bytes("after"), bytes("value"), Durability.SYNC);
    store.flush();
    assertThat(store.get(bytes("after"))).isEqualTo(bytes("value"));
  }

  private void assertWorksInterrupted(Class<?> type, Object target) {
    for (ApiCall call : ApiCall.all(type)) {
      if (call.method().getName().equals("dropKeyspace")) {
        store.keyspace("name");
      }
      Interrupts.interruptMyself();
      Throwable thrown = null;
      try {
        call.with("keyspace", store).on(target);
      } catch (Throwable e) {
        thrown = e;
      }
      assertThat(Thread.interrupted())
          .as("interrupt still pending after %s", call)
          .isTrue();
      assertThat(thrown).as("%s", call).isNull();
    }
  }

  @Test
  void scansWorkInAnInterruptedThread() {
    for (int i = 0; i < 500; i++) {
      store.put(bytes("key " + i), TestBytes.random(i, 1_000));
    }
    store.flush();
    Interrupts.interruptMyself();
    List<String> up = entries(store);
    List<String> down = entries(store, ScanOptions.builder().reverse().build());
    assertThat(Thread.interrupted()).isTrue();
    assertThat(up).hasSize(500);
    assertThat(down).hasSize(500);
  }

  @Test
  void anInterruptedThreadMayCloseTheStore() {
    store.put(bytes("key"), bytes("value"));
    Interrupts.interruptMyself();
    store.close();
    assertThat(Thread.interrupted()).isTrue();
    openStore();
    if (factory().isPersistent()) {
      assertThat(entries(store)).containsExactly(entry("key", "value"));
    }
  }

  @Test
  void interruptsInTheMiddleOfCallsDoNoHarm() throws Exception {
    int threads = 4;
    int writes = 500;
    Thread[] targets = new Thread[threads];
    AtomicInteger running = new AtomicInteger(threads);
    Workers.Body[] bodies = new Workers.Body[threads + 1];
    for (int i = 0; i < threads; i++) {
      bodies[i] = thread -> {
        targets[thread] = Thread.currentThread();
        try {
          for (int n = 0; n < writes; n++) {
            byte[] key = bytes(thread + ":" + n);
            store.put(key, TestBytes.random(n, n * 4), durability(n));
            assertThat(store.get(key)).isEqualTo(TestBytes.random(n, n * 4));
            if (n % 200 == 100) {
              store.flush();
              store.sync();
            }
          }
        } finally {
          running.decrementAndGet();
          Thread.interrupted();
        }
      };
    }
    bodies[threads] = thread -> {
      while (running.get() > 0) {
        for (Thread target : targets) {
          if (target != null) {
            Interrupts.interrupt(target);
          }
        }
        Thread.onSpinWait();
      }
    };
    Workers.run(bodies);
    assertThat(entries(store)).hasSize(threads * writes);
  }
}
