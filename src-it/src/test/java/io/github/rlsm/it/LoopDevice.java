// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/** A block device over a file. The test is skipped if the process lacks the rights. */
final class LoopDevice implements AutoCloseable {

  private final Path path;

  private LoopDevice(Path path) {
    this.path = path;
  }

  /** Creates a device over a file, with the given sector size. */
  static LoopDevice over(Path file, int sectorBytes) throws IOException, InterruptedException {
    Machine.needsRoot();
    Machine.needsProgram("losetup");
    Machine.needsLoopDevices();
    return new LoopDevice(Path.of(Machine.run(
        "losetup",
        "--show",
        "-f",
        "-b",
        String.valueOf(sectorBytes),
        "--direct-io=on",
        file.toString())));
  }

  /** Like {@link #over}, over a new sparse file. */
  static LoopDevice overNew(Path file, long bytes, int sectorBytes)
      throws IOException, InterruptedException {
    try (RandomAccessFile made = new RandomAccessFile(file.toFile(), "rw")) {
      made.setLength(bytes);
    }
    return over(file, sectorBytes);
  }

  Path path() {
    return path;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    Machine.run("losetup", "-d", path.toString());
  }
}
