// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

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
class GateTest {

  private final Gate gate = new Gate();

  @Test
  void closesAtOnceWithoutUsers() {
    gate.leave(gate.enter());
    gate.closeAndAwait();
    assertThatThrownBy(gate::enter).isInstanceOf(StoreClosedException.class);
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
              int stripe = gate.enter();
              assertThat(closed).as("entered after the close").isFalse();
              passed.incrementAndGet();
              busy.countDown();
              gate.leave(stripe);
            }
          } catch (StoreClosedException e) {
            // the expected end
            busy.countDown();
          }
        })
        .add(1, () -> {
          busy.await();
          gate.closeAndAwait();
          closed.set(true);
        })
        .run();
    assertThat(passed.get()).isPositive();
  }

  @Test
  void anotherThreadMayLeave() throws Exception {
    int stripe = gate.enter();
    CountDownLatch closing = new CountDownLatch(1);
    new Crew()
        .add(1, () -> {
          closing.countDown();
          gate.closeAndAwait();
        })
        .add(1, () -> {
          closing.await();
          gate.leave(stripe);
        })
        .run();
  }
}
