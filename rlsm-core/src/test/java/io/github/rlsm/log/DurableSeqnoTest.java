// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.Crew;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Guards invariant I-2 of ARCHITECTURE.md. */
@Tag("optimized")
class DurableSeqnoTest {

  private static final int FOLLOWERS = 7;

  /** During one force the other writers gather. The next force serves all of them. */
  @Test
  void oneForceServesMany() throws Exception {
    AtomicInteger forces = new AtomicInteger();
    AtomicLong published = new AtomicLong(1);
    CountDownLatch forcing = new CountDownLatch(1);
    CountDownLatch gathered = new CountDownLatch(FOLLOWERS);
    DurableSeqno durable = new DurableSeqno(
        0,
        () -> {
          long reached = published.get();
          if (forces.incrementAndGet() == 1) {
            forcing.countDown();
            await(gathered);
          }
          return reached;
        },
        System::nanoTime);
    new Crew()
        .add(1, () -> durable.awaitAtLeast(1))
        .add(FOLLOWERS, () -> {
          await(forcing);
          published.set(10);
          gathered.countDown();
          durable.awaitAtLeast(10);
        })
        .run();
    assertThat(forces).hasValue(2);
    assertThat(durable.get()).isEqualTo(10);
    durable.awaitAtLeast(10);
    assertThat(forces).hasValue(2);
  }

  /**
   * Two threads must not take turns. The force of the slower thread is blocked at its third look at
   * the clock, which comes after the force if the force waits for no other writer.
   */
  @Test
  void aForceWaitsForTheWritersThatTheLastForceServed() throws Exception {
    AtomicLong now = new AtomicLong();
    AtomicLong published = new AtomicLong(1);
    AtomicInteger forces = new AtomicInteger();
    AtomicInteger looks = new AtomicInteger();
    AtomicBoolean firstIsServed = new AtomicBoolean();
    CountDownLatch forcing = new CountDownLatch(1);
    CountDownLatch slowerArrived = new CountDownLatch(1);
    CountDownLatch slowerLeads = new CountDownLatch(1);
    CountDownLatch fasterIsBack = new CountDownLatch(1);
    ThreadLocal<Boolean> slower = ThreadLocal.withInitial(() -> false);
    DurableSeqno durable = new DurableSeqno(
        0,
        () -> {
          long reached = published.get();
          if (forces.incrementAndGet() == 1) {
            forcing.countDown();
            await(slowerArrived);
            now.addAndGet(1_000_000);
          }
          return reached;
        },
        () -> {
          if (slower.get()) {
            slowerArrived.countDown();
            if (firstIsServed.get() && looks.incrementAndGet() == 3) {
              slowerLeads.countDown();
              await(fasterIsBack);
            }
          } else if (firstIsServed.get()) {
            fasterIsBack.countDown();
          }
          return now.get();
        });
    new Crew()
        .add(1, () -> {
          durable.awaitAtLeast(1);
          firstIsServed.set(true);
          await(slowerLeads);
          published.set(3);
          durable.awaitAtLeast(3);
        })
        .add(1, () -> {
          await(forcing);
          published.set(2);
          slower.set(true);
          durable.awaitAtLeast(2);
          slowerLeads.countDown();
        })
        .run();
    assertThat(forces).hasValue(2);
  }

  @Test
  void neverAcknowledgesMoreThanWasForced() throws Exception {
    AtomicLong published = new AtomicLong();
    AtomicLong forced = new AtomicLong();
    AtomicBoolean busy = new AtomicBoolean();
    DurableSeqno durable = new DurableSeqno(
        0,
        () -> {
          assertThat(busy.getAndSet(true)).as("two forces at once").isFalse();
          long reached = published.get();
          Thread.onSpinWait();
          forced.set(reached);
          busy.set(false);
          return reached;
        },
        System::nanoTime);
    new Crew()
        .add(8, () -> {
          for (int i = 0; i < 2000; i++) {
            long mine = published.incrementAndGet();
            durable.awaitAtLeast(mine);
            assertThat(forced.get()).isGreaterThanOrEqualTo(mine);
            assertThat(durable.get()).isGreaterThanOrEqualTo(mine);
          }
        })
        .run();
    assertThat(durable.get()).isEqualTo(16_000);
  }

  @Test
  void aFailedForceReleasesAllWaitersAndAcknowledgesNone() throws Exception {
    CountDownLatch forcing = new CountDownLatch(1);
    AtomicInteger forces = new AtomicInteger();
    DurableSeqno durable = new DurableSeqno(
        3,
        () -> {
          forces.incrementAndGet();
          forcing.countDown();
          throw new IllegalStateException("the device is gone");
        },
        System::nanoTime);
    new Crew()
        .add(
            1,
            () ->
                assertThatThrownBy(() -> durable.awaitAtLeast(5)).hasMessage("the device is gone"))
        .add(FOLLOWERS, () -> {
          await(forcing);
          assertThatThrownBy(() -> durable.awaitAtLeast(4)).hasMessage("the device is gone");
        })
        .run();
    assertThat(durable.get()).isEqualTo(3);
    assertThat(forces).hasValue(1 + FOLLOWERS);
  }

  @Test
  void anInterruptIsKeptDuringTheWait() {
    DurableSeqno durable = new DurableSeqno(0, () -> 7, () -> 0);
    Thread.currentThread().interrupt();
    durable.awaitAtLeast(7);
    assertThat(Thread.interrupted()).isTrue();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
