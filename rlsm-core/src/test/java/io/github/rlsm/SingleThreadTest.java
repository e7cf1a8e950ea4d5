// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SingleThreadTest {

  @Test
  void returnsResultOfTask() {
    assertThat(SingleThread.run(() -> 17)).isEqualTo(17);
  }

  @Test
  void failureOfTaskIsThrownUnchanged() {
    RuntimeException unchecked = new IllegalStateException("broken");
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> SingleThread.run(() -> {
          throw unchecked;
        }))
        .isSameAs(unchecked);
    Error error = new AssertionError("wrong");
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> SingleThread.run(() -> {
          throw error;
        }))
        .isSameAs(error);
  }

  @Test
  void waitWithoutEndFails() {
    CompletableFuture<String> never = new CompletableFuture<>();
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> SingleThread.run(never::join))
        .withMessage("waits without end for another thread")
        .satisfies(stuck -> assertThat(stuck.getStackTrace())
            .anyMatch(frame -> frame.getMethodName().equals("join")));
  }
}
