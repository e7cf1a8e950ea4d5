// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;

/** A real block device over a file. The test is skipped where that takes more rights. */
final class LoopDevice implements AutoCloseable {

  private final Path path;

  private LoopDevice(Path path) {
    this.path = path;
  }

  /** Makes a device over a file, with sectors of that many bytes. */
  static LoopDevice over(Path file, int sectorBytes) throws IOException, InterruptedException {
    String made;
    try {
      made = run(
          "losetup",
          "--show",
          "-f",
          "-b",
          String.valueOf(sectorBytes),
          "--direct-io=on",
          file.toString());
    } catch (IOException e) {
      assumeTrue(false, "a loop device needs Linux, losetup and root: " + e.getMessage());
      throw e;
    }
    return new LoopDevice(Path.of(made));
  }

  Path path() {
    return path;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    run("losetup", "-d", path.toString());
  }

  /** Runs a program and returns what it says. */
  static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + ": " + said);
    }
    return said;
  }
}
