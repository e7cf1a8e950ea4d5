// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.engine.Environment;
import io.github.rlsm.engine.ThreadScheduler;
import io.github.rlsm.io.OsDirectory;
import java.nio.file.Path;
import java.util.SplittableRandom;

/** Opens a store that halts its process at a chosen call to the file system. */
public final class HaltingStore {

  private HaltingStore() {}

  /**
   * Opens a store whose process ends, as if it were killed, just before the call with the given
   * number that changes files, counted from 1: in recovery, in a flush, wherever that is.
   */
  public static RlsmStore open(Path path, RlsmOptions options, long haltAt, long seed) {
    Environment environment = new Environment(
        System::nanoTime,
        new SplittableRandom(seed),
        new ThreadScheduler("halting", options.backgroundThreads()));
    HaltingDirectory directory = new HaltingDirectory(OsDirectory.create(path), haltAt);
    return RlsmStore.open(directory, options, environment);
  }
}
