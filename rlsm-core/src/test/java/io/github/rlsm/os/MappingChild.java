// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.os;

import io.github.rlsm.io.MappedFile;
import java.nio.file.Path;

/** Exercises native calls, or their replacements, and prints a confirmation. */
final class MappingChild {

  static final String DONE = "done";

  private MappingChild() {}

  public static void main(String[] arguments) {
    OsDirectory directory = OsDirectory.open(Path.of(arguments[0]));
    try (MappedFile file = directory.createMapped("m", 100_000)) {
      file.memory().putLong(50_000, 7);
      file.advise(MappedFile.Advice.RANDOM, 0, 100_000);
      file.force(0, 100_000);
    }
    directory.syncDirectory();
    System.out.println(DONE);
  }
}
