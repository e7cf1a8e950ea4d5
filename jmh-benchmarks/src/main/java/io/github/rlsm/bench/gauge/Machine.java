// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.gauge;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The machine on which a measurement ran.
 *
 * @param processor model of the processor, or its architecture
 * @param cores processors available to the JVM
 * @param memoryBytes main memory; -1 if unknown
 * @param kernel operating system and version
 * @param java virtual machine and version
 * @param fileSystem type of the file system that held the data
 */
public record Machine(
    String processor, int cores, long memoryBytes, String kernel, String java, String fileSystem) {

  private static final ProcFile CPUINFO = new ProcFile("/proc/cpuinfo");
  private static final ProcFile MEMINFO = new ProcFile("/proc/meminfo");

  /** Describes this machine, with data in the given directory. */
  public static Machine describe(Path dataDirectory) {
    try {
      return new Machine(
          processorModel(),
          Runtime.getRuntime().availableProcessors(),
          MEMINFO.exists() ? ProcFile.kibibytes(MEMINFO.read(), "MemTotal") : -1,
          System.getProperty("os.name") + " " + System.getProperty("os.version"),
          System.getProperty("java.vm.name") + " " + Runtime.version(),
          Files.getFileStore(dataDirectory).type());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String processorModel() {
    String architecture = System.getProperty("os.arch");
    if (!CPUINFO.exists()) {
      return architecture;
    }
    return CPUINFO
        .read()
        .lines()
        .filter(line -> line.startsWith("model name"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse(architecture);
  }
}
