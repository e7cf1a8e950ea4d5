// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.Crew;
import io.github.rlsm.kv.StoreClosedException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("optimized")
class OperationGuardTest {

  private final OperationGuard guard = new OperationGuard();

  @Test
  void closesAtOnceWithoutUsers() {
    guard.leave(guard.enter());
    guard.closeAndAwait();
    assertThatThrownBy(guard::enter).isInstanceOf(StoreClosedException.class);
  }

  @Test
  void closeWaitsForUsersAndRefusesNewOnes() throws Exception {
    AtomicBoolean closed = new AtomicBoolean();
    AtomicInteger passed = new AtomicInteger();
    CountDownLatch busy = new CountDownLatch(4);
    new Crew()
        .add(6, () -> {
          try {
            while (true) {
              int stripe = guard.enter();
              assertThat(closed).as("entered after the close").isFalse();
              passed.incrementAndGet();
              busy.countDown();
              guard.leave(stripe);
            }
          } catch (StoreClosedException e) {
            // the expected end
            busy.countDown();
          }
        })
        .add(1, () -> {
          busy.await();
          guard.closeAndAwait();
          closed.set(true);
        })
        .run();
    assertThat(passed.get()).isPositive();
  }

  @Test
  void anotherThreadMayLeave() throws Exception {
    int stripe = guard.enter();
    CountDownLatch closing = new CountDownLatch(1);
    new Crew()
        .add(1, () -> {
          closing.countDown();
          guard.closeAndAwait();
        })
        .add(1, () -> {
          closing.await();
          guard.leave(stripe);
        })
        .run();
  }
}
