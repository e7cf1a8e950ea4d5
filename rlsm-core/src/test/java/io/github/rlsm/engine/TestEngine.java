// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.background.BackgroundWork;
import io.github.rlsm.background.StoreFiles;
import io.github.rlsm.background.StoreMemory;
import io.github.rlsm.logdevice.DirectLog;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.memory.MemoryComponent.MemtableStructure;
import io.github.rlsm.policy.CollectSettings;
import io.github.rlsm.policy.PolicySettings;
import io.github.rlsm.policy.StallPolicy;
import io.github.rlsm.table.TableWriter;
import java.util.Map;

/** The settings of engines in tests, and the sides of an engine, for tests of other rooms. */
public final class TestEngine {

  /** The number of entries that a component has room for. */
  public static final int ENTRIES = 10_000;

  /** Components that hold all entries of a test. */
  public static final EngineOpening.Settings SETTINGS = new EngineOpening.Settings(
      new StoreFiles.Settings(TableWriter.Settings.DEFAULT, 1 << 20, 0, true, 1 << 20),
      new StoreMemory.Settings(
          1 << 20,
          1 << 20,
          new MemoryComponent.Shape(MemtableStructure.SORTED_RUNS, ENTRIES, 1024, 1),
          3),
      new BackgroundWork.Settings(
          PolicySettings.DEFAULT,
          CollectSettings.DEFAULT,
          new StallPolicy.Limits(1000, 1000, 1L << 40, 0.9, 1 << 30, 0),
          Long.MAX_VALUE),
      DirectLog.Settings.NONE,
      Map.of());

  private TestEngine() {}

  /** Returns the files of an engine. */
  public static StoreFiles files(Engine engine) {
    return engine.files;
  }

  /** Returns the background work of an engine. */
  public static BackgroundWork background(Engine engine) {
    return engine.background;
  }

  /** Returns the memory of an engine. */
  public static StoreMemory memory(Engine engine) {
    return engine.memory;
  }
}
