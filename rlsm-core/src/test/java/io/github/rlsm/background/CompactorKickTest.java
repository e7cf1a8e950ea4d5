// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.background;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.Crew;
import io.github.rlsm.engine.Engine;
import io.github.rlsm.engine.TestEngine;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.thread.Environment;
import io.github.rlsm.thread.Scheduler;
import io.github.rlsm.thread.ThreadScheduler;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests that writers, readers and flushes that kick the compactor never wait for its decisions. */
class CompactorKickTest {

  @Test
  void kickingNeverWaitsForADecision() throws Exception {
    try (ThreadScheduler scheduler = new ThreadScheduler("kicked", 1)) {
      try (Engine engine = Engine.open(
          new SimulatedDirectory(),
          TestEngine.SETTINGS,
          new Environment(() -> 0, new SplittableRandom(1), new ThreadScheduler("test", 1)))) {
        CountDownLatch deciding = new CountDownLatch(1);
        CountDownLatch kicked = new CountDownLatch(1);
        AtomicInteger decisions = new AtomicInteger();
        Compactor compactor = compactor(engine, scheduler, () -> {
          deciding.countDown();
          decisions.incrementAndGet();
          await(kicked);
        });
        compactor.kick();
        deciding.await();
        new Crew()
            .add(1, () -> {
              for (int i = 0; i < 100; i++) {
                compactor.kick();
                compactor.retryCollection();
                compactor.whenIdle(1);
              }
              kicked.countDown();
            })
            .run();
        compactor.awaitIdle();
        // Fewer than one decision for each kick. A decision reads the end of the log twice.
        assertThat(decisions.get()).isBetween(2, 20);
        compactor.close();
        engine.flush();
      }
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns a compactor of an empty store, which never has work to do. */
  private static Compactor compactor(Engine engine, Scheduler scheduler, Runnable whenDeciding) {
    return new Compactor(
        TestEngine.files(engine),
        TestEngine.memory(engine),
        TestEngine.SETTINGS.background(),
        scheduler) {
      @Override
      long tailSeqno() {
        whenDeciding.run();
        return 0;
      }
    };
  }
}
