// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.gauge;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Mounts a control group hierarchy until this process ends, if the system mounts none. */
final class CgroupMount {

  private CgroupMount() {}

  /**
   * Mounts the memory controller's hierarchy in a temporary directory. Requires root.
   *
   * @param firstVersion whether the controller belongs to version 1
   */
  static void mount(boolean firstVersion) throws IOException {
    Path directory = Files.createTempDirectory("rlsm-bench-cgroup");
    try {
      if (firstVersion) {
        run("mount", "-t", "cgroup", "-o", "memory", "none", directory.toString());
      } else {
        run("mount", "-t", "cgroup2", "none", directory.toString());
      }
    } catch (IOException e) {
      Files.delete(directory);
      throw new IOException("no control groups are mounted, and mounting failed; run as root", e);
    }
    Runtime.getRuntime().addShutdownHook(new Thread(() -> unmount(directory), "cgroup-unmount"));
  }

  private static void unmount(Path directory) {
    try {
      run("umount", directory.toString());
      Files.delete(directory);
    } catch (IOException e) {
      System.err.println("could not unmount " + directory + ": " + e.getMessage());
    }
  }

  private static void run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    try {
      if (process.waitFor() != 0) {
        throw new IOException(output);
      }
    } catch (InterruptedException e) {
      throw new IOException("interrupted while running " + command[0], e);
    }
  }
}
