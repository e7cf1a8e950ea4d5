// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.os;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.AppendFile;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.StoreLockedException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that interrupts break no file and stay pending. */
class OsDirectoryInterruptTest {

  private static final int INTERRUPTS = 1000;

  @TempDir
  Path temporary;

  @Test
  void interruptedCallersSucceedAndStayInterrupted() {
    OsDirectory directory = OsDirectory.create(temporary.resolve("store"));
    try (AppendFile log = directory.create("log");
        MappedFile mapped = directory.createMapped("mapped", 8192)) {
      for (int i = 0; i < INTERRUPTS; i++) {
        Thread.currentThread().interrupt();
        work(directory, log, mapped, i);
        assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
      }
      assertThat(log.length()).isEqualTo(8L * INTERRUPTS);
      assertThat(directory.size("log")).isEqualTo(8L * INTERRUPTS);
    }
  }

  @Test
  void interruptsInTheMiddleDoNoHarm() throws InterruptedException {
    OsDirectory directory = OsDirectory.create(temporary.resolve("store"));
    Thread worker = Thread.currentThread();
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger sent = new AtomicInteger();
    Thread interrupter = new Thread(() -> {
      while (!done.get()) {
        worker.interrupt();
        sent.incrementAndGet();
        Thread.onSpinWait();
      }
    });
    int rounds = 0;
    try (AppendFile log = directory.create("log");
        MappedFile mapped = directory.createMapped("mapped", 8192)) {
      interrupter.start();
      while (rounds < 100 || sent.get() < INTERRUPTS) {
        work(directory, log, mapped, rounds++);
      }
    } finally {
      done.set(true);
      while (interrupter.isAlive()) {
        Thread.interrupted();
        Thread.onSpinWait();
      }
      Thread.interrupted();
      interrupter.join();
    }
    assertThat(directory.size("log")).isEqualTo(8L * rounds);
  }

  /** Makes every kind of call. */
  private static void work(OsDirectory directory, AppendFile log, MappedFile mapped, int round) {
    log.append(ByteBuffer.allocate(8).putLong(0, round));
    mapped.memory().putInt(0, round);
    if (round % 16 == 0) {
      log.force();
      mapped.force(0, 8192);
      directory.syncDirectory();
    }
    try (MappedFile created = directory.createMapped("created", 100)) {
      created.memory().put(0, (byte) 1);
      created.advise(MappedFile.Advice.WILL_NEED, 0, 100);
    }
    directory.rename("created", "renamed");
    directory.openAppend("renamed").close();
    directory.openMapped("renamed").close();
    try (MappedFile read = directory.openReadOnly("mapped")) {
      assertThat(read.memory().getInt(0)).isEqualTo(round);
    }
    directory.delete("renamed");
    assertThat(directory.exists("renamed")).isFalse();
    assertThat(directory.list()).contains("log", "mapped");
    assertThat(directory.freeBytes()).isPositive();
    try (StoreDirectory.Lock lock = directory.lock()) {
      directory.lock().close();
      throw new AssertionError("locked twice: " + lock);
    } catch (StoreLockedException expected) {
      assertThat(expected).hasMessageContaining("another store of this process");
    }
  }
}
