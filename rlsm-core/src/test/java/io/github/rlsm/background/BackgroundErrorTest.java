// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.background;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.kv.DiskFullException;
import io.github.rlsm.kv.StoreHealth.State;
import io.github.rlsm.thread.ManualScheduler;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BackgroundErrorTest {

  private static final Logger LOGGER = Logger.getLogger("io.github.rlsm.health");

  private final ManualScheduler scheduler = new ManualScheduler();
  private final BackgroundError errors = new BackgroundError("store", () -> 0, scheduler);

  /**
   * Fails like a log handler in a process without descriptors, where a class of the JDK cannot be
   * loaded.
   */
  private final Handler broken = new Handler() {
    @Override
    public void publish(LogRecord entry) {
      throw new NoClassDefFoundError("Could not initialize class");
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  };

  @BeforeEach
  void breakTheLog() {
    LOGGER.addHandler(broken);
  }

  @AfterEach
  void mendTheLog() {
    LOGGER.removeHandler(broken);
  }

  private static DiskFullException full() {
    return new DiskFullException("no room", "tab-1", null);
  }

  @Test
  void failingLogHandlerDoesNotPreventRetries() {
    assertThat(errors.report(full(), BackgroundError.Activity.FLUSH)).isTrue();
    assertThat(errors.health().state()).isEqualTo(State.DEGRADED);
    errors.worked(BackgroundError.Activity.FLUSH);
    assertThat(errors.health().isHealthy()).isTrue();
  }

  @Test
  void failingLogHandlerDoesNotHideThePermanentError() {
    IllegalStateException first = new IllegalStateException("first");
    errors.set(first);
    assertThat(errors.health().state()).isEqualTo(State.READ_ONLY);
    assertThat(errors.health().cause()).isSameAs(first);
    assertThat(first.getSuppressed()).hasOnlyElementsOfType(NoClassDefFoundError.class);
  }

  @Test
  void suppressedErrorsAreLimited() {
    IllegalStateException first = new IllegalStateException("first");
    errors.set(first);
    for (int i = 0; i < 1000; i++) {
      errors.set(new IllegalStateException("later " + i));
    }
    assertThat(first.getSuppressed()).hasSizeLessThan(20);
    assertThat(first.getSuppressed()[1]).hasMessage("later 0");
  }
}
