// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.background;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.thread.ManualScheduler;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests when the end of all tasks is reported. */
class DeferredCleanupTest {

  private final BackgroundError errors =
      new BackgroundError("store", () -> 0, new ManualScheduler());
  private final DeferredCleanup cleanup = new DeferredCleanup(task -> {}, errors);
  private final List<String> events = new ArrayList<>();

  @Test
  void reportsTheEndOnceAllTasksAreDone() {
    cleanup.whenDone(() -> events.add("done"));
    cleanup.run();
    assertThat(events).as("no task has run").isEmpty();
    cleanup.add(() -> events.add("first"));
    cleanup.add(() -> events.add("second"));
    cleanup.run();
    assertThat(events).containsExactly("first", "second", "done");
    cleanup.add(() -> events.add("third"));
    cleanup.run();
    assertThat(events).containsExactly("first", "second", "done", "third", "done");
  }

  @Test
  void aFailureOfAnActionEndsNothing() {
    cleanup.whenDone(() -> {
      events.add("done");
      throw new OutOfMemoryError("no memory for a task");
    });
    cleanup.add(() -> {
      throw new OutOfMemoryError("no memory for a task");
    });
    cleanup.run();
    cleanup.add(() -> events.add("later"));
    cleanup.run();
    assertThat(events).containsExactly("done", "later", "done");
    assertThat(errors.isSet()).isFalse();
  }
}
