// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.gauge;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * How often threads of this process have given up their core of their own accord: to park, to wait
 * for a lock, for a device. Counts threads that are alive.
 */
public final class ContextSwitches {

  private static final Path TASKS = Path.of("/proc/self/task");

  private ContextSwitches() {}

  /** So far; -1 if the system does not say. */
  public static long now() {
    if (!Files.isDirectory(TASKS)) {
      return -1;
    }
    long sum = 0;
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
      for (Path task : tasks) {
        sum += of(task);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return sum;
  }

  private static long of(Path task) throws IOException {
    try {
      return Math.max(
          0, ProcFile.number(Files.readString(task.resolve("status")), "voluntary_ctxt_switches"));
    } catch (NoSuchFileException e) {
      return 0; // ended since it was listed
    }
  }
}
