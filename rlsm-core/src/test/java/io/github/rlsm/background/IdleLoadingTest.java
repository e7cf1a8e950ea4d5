// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.background;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.engine.Engine;
import io.github.rlsm.engine.TestEngine;
import io.github.rlsm.engine.WriteScratch;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.thread.Environment;
import io.github.rlsm.thread.ThreadScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests when the loading of files at rest waits for free memory. */
class IdleLoadingTest {

  private static final byte[] PREFIX = {0};

  private final SimulatedDirectory directory = new SimulatedDirectory();
  private final Engine engine = Engine.open(
      directory,
      TestEngine.SETTINGS,
      new Environment(() -> 0, new SplittableRandom(1), new ThreadScheduler("loading", 1)));
  private final StoreFiles files = TestEngine.files(engine);
  private final IdleLoading loading =
      new IdleLoading(files, new SpaceSurvey(files.versions(), files.values()), () -> true);

  @AfterEach
  void close() {
    engine.close();
  }

  private void writeTable() {
    directory.pageCache().holdsAll(false);
    byte[] key = {1};
    byte[] value = new byte[100];
    engine.put(WriteScratch.of(PREFIX, key, 0, 1), value, 0, value.length, Durability.OS);
    engine.flush();
  }

  @Test
  void waitsUntilTheTableFits() {
    writeTable();
    directory.pageCache().freeBytes(0);
    loading.run();
    assertThat(loading.waitsForMemory()).isTrue();
    directory.pageCache().freeBytes(Long.MAX_VALUE);
    loading.run();
    assertThat(loading.waitsForMemory()).isFalse();
    assertThat(directory.list())
        .filteredOn(name -> name.startsWith("tab-"))
        .hasSize(1)
        .allMatch(directory.pageCache()::holds);
  }

  /** Otherwise a deletion that ends during the loading would be missed. */
  @Test
  void waitsWhileItLoads() {
    writeTable();
    List<Boolean> waits = new ArrayList<>();
    directory.pageCache().onReadAhead(() -> waits.add(loading.waitsForMemory()));
    loading.run();
    assertThat(waits).endsWith(true);
    assertThat(loading.waitsForMemory()).isFalse();
    waits.clear();
    loading.run();
    assertThat(waits).isEmpty();
  }
}
