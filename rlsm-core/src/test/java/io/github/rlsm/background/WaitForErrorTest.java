// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.Waiting;
import io.github.rlsm.engine.Engine;
import io.github.rlsm.engine.TestEngine;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.thread.Environment;
import io.github.rlsm.thread.ManualScheduler;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Tests that a thread stops waiting for background work when the store fails. A failure signals no
 * thread, so each waiting thread must look for errors at intervals.
 */
class WaitForErrorTest {

  private final StoreIoException broken = new StoreIoException("write", "file", null);
  private final ManualScheduler scheduler = new ManualScheduler();
  private final Engine engine = Engine.open(
      new SimulatedDirectory(),
      TestEngine.SETTINGS,
      new Environment(() -> 0, new SplittableRandom(1), scheduler));
  private final BackgroundError errors = TestEngine.files(engine).errors();

  @Test
  void aWaitForAFlushThatWillNotFollow() throws Exception {
    Waiting waiting = Waiting.until(
        () -> assertThatThrownBy(() -> TestEngine.background(engine).awaitFlush(() -> false))
            .isInstanceOf(StoreFailedException.class)
            .hasCause(broken));
    assertThat(waiting.hasEnded()).isFalse();
    errors.set(broken);
    waiting.join();
  }

  /** The scheduler runs no task, so the compactor's work never ends. */
  @Test
  void aWaitForACompactionThatWillNotEnd() throws Exception {
    Compactor compactor = new Compactor(
        TestEngine.files(engine),
        TestEngine.memory(engine),
        TestEngine.SETTINGS.background(),
        scheduler);
    Waiting waiting = Waiting.until(compactor::awaitIdle);
    assertThat(waiting.hasEnded()).isFalse();
    errors.set(broken);
    waiting.join();
  }
}
