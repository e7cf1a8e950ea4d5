// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.background.StoreFiles;
import io.github.rlsm.background.StoreMemory;

/**
 * Closes the parts of an engine: first memory, then the files that memory pins, at last the
 * directory. Made when the engine is opened, because closing must not need memory.
 *
 * <p>Threads: one thread, once no operation and no background work runs any more.
 */
final class EngineClosing {

  private static final int STEPS = 12;

  private final StoreFiles files;
  private final StoreMemory memory;
  private final LogForce force;

  EngineClosing(StoreFiles files, StoreMemory memory, LogForce force) {
    this.files = files;
    this.memory = memory;
    this.force = force;
  }

  /** Closes everything, even if some steps fail. Throws the first error, or else exception. */
  void close() {
    RuntimeException exception = null;
    Error error = null;
    for (int step = 0; step < STEPS; step++) {
      try {
        close(step);
      } catch (RuntimeException e) {
        exception = exception == null ? e : exception;
      } catch (Error e) {
        error = error == null ? e : error;
      }
    }
    if (error != null) {
      throw error;
    }
    if (exception != null) {
      throw exception;
    }
  }

  /**
   * Runs one closing step. A switch, because a list of tasks could not be allocated without memory.
   */
  private void close(int step) {
    switch (step) {
      // Before the last read state is retired: the components that it releases are not flushed, so
      // their log must not be recycled.
      case 0 -> memory.segments().close();
      case 1 -> memory.readStates().close();
      case 2, 5 -> memory.runCleanup();
      case 3, 6 -> files.runDeletions();
      case 4 -> files.versions().close();
      case 7 -> memory.closeLogs();
      case 8 -> files.values().close();
      case 9 -> force.close();
      case 10 -> files.lock().close();
      default -> files.directory().close();
    }
  }
}
