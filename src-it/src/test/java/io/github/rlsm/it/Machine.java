// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The requirements of tests on the machine: root, programs, file systems. A test that misses
 * something is skipped with a message that names it. The gate lists these messages. In continuous
 * integration {@code config/gate/GateSummary.java} reads them. It fails if a test of file systems
 * or system calls was skipped although the machine has the feature that the message names.
 */
final class Machine {

  /** The capability to mount, in the mask of {@code /proc/self/status}. */
  private static final long CAP_SYS_ADMIN = 1L << 21;

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Path LOOP_CONTROL = Path.of("/dev/loop-control");

  private Machine() {}

  /** Skips the test unless this process may mount file systems and create loop devices. */
  static void needsRoot() {
    assumeTrue(mayMount(), "needs Linux and root (CAP_SYS_ADMIN)");
  }

  /** Skips the test unless a program is installed. */
  static void needsProgram(String name) {
    assumeTrue(isInstalled(name), "needs the program " + name);
  }

  /** Skips the test unless this process may open the device that creates loop devices. */
  static void needsLoopDevices() {
    assumeTrue(hasLoopDevices(), "needs loop devices");
  }

  /** Skips the test unless the kernel has a file system, or can load it. */
  static void needsFileSystem(String name) throws InterruptedException {
    if (!knowsFileSystem(name) && isInstalled("modprobe")) {
      succeeds("modprobe", name);
    }
    assumeTrue(knowsFileSystem(name), "needs the file system " + name);
  }

  private static boolean mayMount() {
    try {
      return Files.readAllLines(STATUS, US_ASCII).stream()
          .filter(line -> line.startsWith("CapEff:"))
          .map(line -> line.substring("CapEff:".length()).strip())
          .anyMatch(mask -> (Long.parseUnsignedLong(mask, 16) & CAP_SYS_ADMIN) != 0);
    } catch (IOException e) {
      return false; // not Linux
    }
  }

  private static boolean hasLoopDevices() {
    try (InputStream control = Files.newInputStream(LOOP_CONTROL)) {
      return true;
    } catch (IOException e) {
      return false; // missing, or forbidden in this container
    }
  }

  private static boolean isInstalled(String program) {
    return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
        .splitAsStream(System.getenv().getOrDefault("PATH", ""))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
  }

  private static boolean knowsFileSystem(String name) {
    try {
      return Files.readAllLines(Path.of("/proc/filesystems"), US_ASCII).stream()
          .anyMatch(line -> line.strip().replaceFirst("^nodev\\s+", "").equals(name));
    } catch (IOException e) {
      return false; // not Linux
    }
  }

  /** Runs a program and returns its output. Throws if the program fails. */
  static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + ": " + output);
    }
    return output;
  }

  private static boolean succeeds(String... command) throws InterruptedException {
    try {
      run(command);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
