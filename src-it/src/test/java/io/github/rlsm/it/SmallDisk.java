// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A small disk in memory, mounted at a directory. The test is skipped where that takes more rights.
 */
final class SmallDisk implements AutoCloseable {

  private final Path path;

  private SmallDisk(Path path) {
    this.path = path;
  }

  static SmallDisk mount(Path path, String size) throws IOException, InterruptedException {
    Files.createDirectories(path);
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", path.toString()) == 0,
        "mounting a small disk needs Linux and root");
    return new SmallDisk(path);
  }

  /** Changes its size, or with {@code "ro"} and {@code "rw"} whether it can be written. */
  void remount(String option) throws IOException, InterruptedException {
    if (run("mount", "-o", "remount," + option, path.toString()) != 0) {
      throw new IOException("cannot remount " + path + " with " + option);
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    run("umount", path.toString());
  }

  private static int run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }
}
