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
 * Counts voluntary context switches of this process: a thread parks, or waits for a lock or a
 * device. Covers only threads that are alive.
 */
public final class ContextSwitches {

  private static final Path TASKS = Path.of("/proc/self/task");

  private ContextSwitches() {}

  /** The count until now; -1 if the system does not report it. */
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
      return 0; // the thread has ended since the listing
    }
  }
}
