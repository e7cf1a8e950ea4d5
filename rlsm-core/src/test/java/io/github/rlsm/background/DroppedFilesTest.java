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
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests the order in which dropped files are loaded, and that deleted ones are not kept. */
class DroppedFilesTest {

  @Test
  void tablesComeFirstAndThenOlderFiles() {
    StoreFileName oldTable = new StoreFileName(StoreFileName.Type.TABLE, 9);
    StoreFileName newTable = new StoreFileName(StoreFileName.Type.TABLE, 10);
    StoreFileName oldSegment = new StoreFileName(StoreFileName.Type.VALUE_LOG, 3);
    StoreFileName newSegment = new StoreFileName(StoreFileName.Type.VALUE_LOG, 4);
    DroppedFiles files = new DroppedFiles();
    files.add(List.of(newSegment, newTable));
    files.add(List.of(oldTable, oldSegment, newTable));
    List<StoreFileName> inOrder = new ArrayList<>();
    while (!files.isEmpty()) {
      StoreFileName next = files.first();
      inOrder.add(next);
      files.remove(next);
    }
    assertThat(inOrder).containsExactly(oldTable, newTable, oldSegment, newSegment);
    assertThat(files.first()).isNull();
  }

  @Test
  void aDeletionRemovesTheFile() {
    StoreFileName table = new StoreFileName(StoreFileName.Type.TABLE, 99);
    StoreFileName segment = new StoreFileName(StoreFileName.Type.VALUE_LOG, 99);
    try (Engine engine = Engine.open(
        new SimulatedDirectory(),
        TestEngine.SETTINGS,
        new Environment(() -> 0, new SplittableRandom(1), new ThreadScheduler("dropped", 1)))) {
      StoreFiles files = TestEngine.files(engine);
      files.directory().create(StoreFileName.table(99)).close();
      files.directory().create(StoreFileName.valueLog(99)).close();
      files.dropped().add(List.of(table, segment));
      files.directory().delete(StoreFileName.table(99));
      assertThat(files.dropped().first()).isEqualTo(segment);
      files.directory().deleteClosed(StoreFileName.valueLog(99));
      assertThat(files.dropped().isEmpty()).isTrue();
    }
  }
}
