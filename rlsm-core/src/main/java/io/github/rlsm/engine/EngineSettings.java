// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.background.BackgroundWork;
import io.github.rlsm.background.StoreFiles;
import io.github.rlsm.background.StoreMemory;
import io.github.rlsm.logdevice.DirectLog;
import java.util.Map;

/**
 * The settings of an engine. The store's options create and check them, and each side of the engine
 * gets its part.
 *
 * @param files how tables and the manifest are written and read
 * @param memory dimensions of the log and of memory
 * @param background when to flush, compact, collect and throttle
 * @param directLog where the log is made durable
 * @param shapeOptions the options that shape the files, by name, as stored in the manifest
 */
public record EngineSettings(
    StoreFiles.Settings files,
    StoreMemory.Settings memory,
    BackgroundWork.Settings background,
    DirectLog.Settings directLog,
    Map<String, String> shapeOptions) {

  /** Copies the map. */
  public EngineSettings {
    shapeOptions = Map.copyOf(shapeOptions);
  }
}
