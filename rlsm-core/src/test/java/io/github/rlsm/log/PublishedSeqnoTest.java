// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.Crew;
import io.github.rlsm.kv.StoreFailedException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Guards invariant I-1 of ARCHITECTURE.md. */
@Tag("optimized")
class PublishedSeqnoTest {

  private static final int RING = 1 << 15;

  @Test
  void stopsAtTheFirstHole() {
    PublishedSeqno published = new PublishedSeqno(10);
    published.publish(14, 20);
    published.publish(20, 25);
    assertThat(published.get()).isEqualTo(10);
    published.publish(10, 14);
    assertThat(published.get()).isEqualTo(25);
    published.publish(25, 25);
    assertThat(published.get()).isEqualTo(25);
  }

  @Test
  void reachesTheEndAndNeverPassesAHole() throws Exception {
    long start = 1000;
    long end = start + 12L * RING;
    PublishedSeqno published = new PublishedSeqno(start);
    AtomicLong tail = new AtomicLong(start);
    // For each seqno whether its record is about to be published.
    AtomicLongArray filled = new AtomicLongArray((int) (end - start) + 64);
    new Crew()
        .add(8, () -> {
          ThreadLocalRandom random = ThreadLocalRandom.current();
          while (true) {
            int units = random.nextInt(100) == 0 ? random.nextInt(1, 5000) : random.nextInt(1, 9);
            long from = tail.getAndAdd(units);
            long to = Math.min(from + units, end);
            if (from >= to) {
              return;
            }
            for (long i = from; i < to; i++) {
              filled.setOpaque((int) (i - start), 1);
            }
            published.publish(from, to);
            long mark = published.get();
            for (long i = Math.max(start, mark - 50); i < mark; i++) {
              if (filled.get((int) (i - start)) == 0) {
                throw new AssertionError("the mark is at " + mark + ", " + i + " is not filled");
              }
            }
            if (random.nextInt(16) == 0) {
              published.awaitAtLeast(to);
            }
          }
        })
        .run();
    assertThat(published.get()).isEqualTo(end);
  }

  @Test
  void writerAWholeRingAheadWaits() throws Exception {
    PublishedSeqno published = new PublishedSeqno(0);
    published.publish(1, RING);
    new Crew()
        .add(1, () -> published.publish(RING, RING + 5))
        .add(1, () -> published.publish(0, 1))
        .run();
    assertThat(published.get()).isEqualTo(RING + 5);
  }

  @Test
  void waitersBehindAHoleFail() throws Exception {
    PublishedSeqno published = new PublishedSeqno(0);
    published.publish(5, 9);
    IllegalStateException cause = new IllegalStateException("torn");
    CountDownLatch waiting = new CountDownLatch(3);
    new Crew()
        .add(2, () -> {
          waiting.countDown();
          assertThatThrownBy(() -> published.awaitAtLeast(9))
              .isInstanceOf(StoreFailedException.class)
              .hasCause(cause);
        })
        .add(1, () -> {
          waiting.countDown();
          published.publish(RING + 4, RING + 6);
        })
        .add(1, () -> {
          waiting.await();
          published.fail(cause, 0, 5);
        })
        .run();
    assertThat(published.get()).isZero();
    published.awaitAtLeast(0);
    published.awaitSettled(9);
  }

  /** Records before the hole count, even if they are published later. */
  @Test
  void theHistoryEndsAtTheFirstOfAllHoles() {
    PublishedSeqno published = new PublishedSeqno(0);
    published.fail(new IllegalStateException("first"), 20, 25);
    published.publish(25, 30);
    published.publish(0, 10);
    published.awaitAtLeast(10);
    published.publish(15, 20);
    published.fail(new IllegalStateException("second"), 10, 15);
    published.awaitSettled(30);
    assertThat(published.get()).isEqualTo(10);
    published.fail(new IllegalStateException("third"), 30, 35);
    assertThat(published.get()).as("with a later hole").isEqualTo(10);
    published.awaitAtLeast(10);
    assertThatThrownBy(() -> published.awaitAtLeast(11))
        .isInstanceOf(StoreFailedException.class)
        .hasRootCauseMessage("first");
  }

  /** A pending interrupt would end each park at once, so it is cleared during the wait. */
  @Test
  void anInterruptedThreadWaitsWithoutSpinning() throws Exception {
    PublishedSeqno published = new PublishedSeqno(0);
    AtomicReference<Thread> waiter = new AtomicReference<>();
    new Crew()
        .add(1, () -> {
          Thread.currentThread().interrupt();
          waiter.set(Thread.currentThread());
          published.awaitAtLeast(5);
          assertThat(Thread.interrupted()).isTrue();
        })
        .add(1, () -> {
          while (waiter.get() == null || waiter.get().isInterrupted()) {
            Thread.onSpinWait();
          }
          published.publish(0, 5);
        })
        .run();
  }

  /** A writer without the stack to report its hole must not block other writers indefinitely. */
  @Test
  void waitForAStuckMarkEnds() {
    PublishedSeqno published = new PublishedSeqno(0);
    published.publish(0, 5);
    published.publish(9, 12);
    published.stuck = true;
    published.awaitAtLeast(5);
    assertThatThrownBy(() -> published.awaitAtLeast(12)).isInstanceOf(StoreFailedException.class);
    published.awaitSettled(12);
    published.publish(5 + RING, 6 + RING);
    assertThat(published.get()).isEqualTo(5);
  }
}
