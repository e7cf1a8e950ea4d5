// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import io.github.rlsm.it.KillRuns.Place;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Repeats {@link KillTest} with the log on a log device. */
class DeviceKillTest {

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path temporary;

  /** The log device is a file. */
  @Test
  void killedProcessesLoseNothingOfADirectLog() throws Exception {
    new KillRuns(temporary, Place.ON_DEVICE, false).run("kills with a log device", 32);
  }

  /**
   * After a kill the kernel still has every byte of the segments, so recovery does not need the
   * ring. Here the unforced bytes are discarded, and forced writes come back from the ring alone.
   */
  @Test
  void forcedWritesComeBackFromTheRing() throws Exception {
    new KillRuns(temporary, Place.ONE_STORE_ON_DEVICE, true)
        .needingRing()
        .run("kills with a log device and loss of unforced bytes", 24);
  }

  /** The log device is a real block device. */
  @Test
  void killedProcessesLoseNothingOfALoopDevice() throws Exception {
    Path backing = temporary.resolve("backing");
    try (LoopDevice loop = LoopDevice.overNew(backing, 1 << 20, 512)) {
      Files.createSymbolicLink(temporary.resolve("device"), loop.path());
      new KillRuns(temporary, Place.ONE_STORE_ON_DEVICE, true)
          .run("kills with a loop device as log device", 12);
    }
  }
}
