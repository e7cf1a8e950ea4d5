// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.Waiting;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/** Tests the wait for a signal. Its callers' tests cover the other pauses. */
class PauseTest {

  /** Longer than any test may run, so only a signal can end the wait. */
  private static final long LONG_NANOS = TimeUnit.DAYS.toNanos(1);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final AtomicBoolean signaled = new AtomicBoolean();

  @Test
  void theTimeEndsTheWait() {
    await(1);
    assertThat(lock.isLocked()).isFalse();
  }

  @Test
  void aSignalEndsTheWait() throws Exception {
    Waiting waiting = Waiting.until(() -> {
      await(LONG_NANOS);
      assertThat(signaled).isTrue();
    });
    assertThat(waiting.hasEnded()).isFalse();
    signal();
    waiting.join();
  }

  /** An interrupt that is pending before the wait must not end it, and must stay pending. */
  @Test
  void anInterruptDoesNotEndTheWait() throws Exception {
    Waiting waiting = Waiting.until(() -> {
      Thread.currentThread().interrupt();
      await(LONG_NANOS);
      assertThat(signaled).isTrue();
      assertThat(Thread.interrupted()).isTrue();
    });
    assertThat(waiting.hasEnded()).isFalse();
    signal();
    waiting.join();
  }

  private void await(long nanos) {
    lock.lock();
    try {
      Pause.untilSignal(changed, nanos);
    } finally {
      lock.unlock();
    }
  }

  private void signal() {
    lock.lock();
    try {
      signaled.set(true);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
