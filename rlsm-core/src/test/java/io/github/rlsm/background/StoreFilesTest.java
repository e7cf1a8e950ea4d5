// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.background;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.engine.Engine;
import io.github.rlsm.engine.TestEngine;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.thread.Environment;
import io.github.rlsm.thread.ThreadScheduler;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests which value segments a store at rest no longer loads. */
class StoreFilesTest {

  @Test
  void aDeletedSegmentIsNotLoaded() {
    try (Engine engine = Engine.open(
        new SimulatedDirectory(),
        TestEngine.SETTINGS,
        new Environment(() -> 0, new SplittableRandom(1), new ThreadScheduler("files", 1)))) {
      StoreFiles files = TestEngine.files(engine);
      files.directory().create(StoreFileName.table(98)).close();
      files.directory().create(StoreFileName.valueLog(98)).close();
      files.directory().create(StoreFileName.valueLog(99)).close();
      files.droppedSegments().addAll(List.of(98, 99));
      files.directory().delete(StoreFileName.table(98));
      files.directory().deleteClosed(StoreFileName.valueLog(99));
      assertThat(files.droppedSegments()).containsExactly(98);
      files.directory().delete(StoreFileName.valueLog(98));
      assertThat(files.droppedSegments()).isEmpty();
    }
  }
}
