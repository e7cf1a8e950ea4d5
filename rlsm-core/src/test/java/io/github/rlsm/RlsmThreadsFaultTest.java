// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.Fault;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.kv.TestBytes;
import io.github.rlsm.thread.Environment;
import io.github.rlsm.thread.ThreadScheduler;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Calls fail while real threads work: no call hangs, no thread stays, no acknowledged write is
 * lost.
 */
@Tag("optimized")
class RlsmThreadsFaultTest {

  private static HealthLog log;

  @BeforeAll
  static void keepTheConsoleShort() {
    log = new HealthLog();
  }

  @AfterAll
  static void endLog() {
    log.close();
  }

  private static final int PUTS = 600;
  private static final int STRIDE = 23;

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"NO_SPACE", "IO_ERROR", "IO_ERROR_AFTER"})
  @Timeout(value = 2, unit = TimeUnit.MINUTES)
  void noCallHangsAfterAFault(Fault fault) throws InterruptedException {
    int failures = 0;
    boolean hit = true;
    for (int k = fault.ordinal(); hit; k += STRIDE) {
      SimulatedDirectory directory = new SimulatedDirectory();
      directory.failAt(k, fault, k % 2 == 0);
      String name = "fault-" + fault + "-" + k;
      int acknowledged = put(directory, name);
      failures += acknowledged < PUTS ? 1 : 0;
      hit = directory.eventCount() > k;
      assertThat(directory.openHandles()).as(name).isEmpty();
      joinThreads(name);
      directory.mend();
      checkAll(directory, acknowledged, name);
    }
    assertThat(failures).isGreaterThan(5);
  }

  /**
   * Waits for the end of the store's threads. A thread that does not end exceeds the time limit.
   */
  private static void joinThreads(String name) throws InterruptedException {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith(name)) {
        thread.join();
      }
    }
  }

  private static byte[] key(int i) {
    return TestBytes.bytes("key" + i % 300);
  }

  private static byte[] value(int i) {
    return TestBytes.random(i, 20 + i % 400);
  }

  /** Puts until a put fails, and closes. Returns the number of acknowledged puts. */
  private static int put(SimulatedDirectory directory, String name) {
    int acknowledged = 0;
    Environment environment =
        new Environment(System::nanoTime, new SplittableRandom(1), new ThreadScheduler(name, 2));
    try (RlsmStore store = RlsmStore.open(directory, TinyOptions.LINKING.options(), environment)) {
      for (int i = 0; i < PUTS; i++) {
        store.put(key(i), value(i), i % 50 == 0 ? Durability.SYNC : Durability.OS);
        acknowledged++;
      }
      store.settle();
    } catch (StoreIoException | StoreFailedException e) {
      return acknowledged;
    }
    return acknowledged;
  }

  private static void checkAll(SimulatedDirectory directory, int acknowledged, String name) {
    try (RlsmStore store =
        RlsmStore.open(directory, TinyOptions.LINKING.options(), InlineScheduler.environment(1))) {
      for (int i = Math.max(0, acknowledged - 300); i < acknowledged; i++) {
        byte[] found = store.get(key(i));
        boolean overtaken = i + 300 == acknowledged; // by the failed put, which may be present
        assertThat(found)
            .as("%s, %d of %d", name, i, acknowledged)
            .isIn(value(i), overtaken ? value(i + 300) : value(i));
      }
      store.verify();
    }
  }
}
