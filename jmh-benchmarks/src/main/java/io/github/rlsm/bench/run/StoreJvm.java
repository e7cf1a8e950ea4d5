// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The process of a JVM that runs one store with a share of the memory. */
public final class StoreJvm {

  /**
   * Limits glibc's malloc to two arenas. By default the threads of each phase get new arenas.
   * RocksDB's cache moves there, while the old arenas keep their memory: 1.8 GiB after ten phases
   * with a cache of 256 MiB.
   */
  private static final Map<String, String> ENVIRONMENT = Map.of("MALLOC_ARENA_MAX", "2");

  private StoreJvm() {}

  /** Returns a process that runs a command, with the environment of all stores. */
  public static ProcessBuilder process(List<String> command) {
    ProcessBuilder process = new ProcessBuilder(command);
    ENVIRONMENT.forEach(process.environment()::putIfAbsent);
    return process;
  }

  /**
   * Returns a command to which the main class and its arguments are to be added. The heap gets 3/8
   * of the memory, direct buffers 1/4. The rest is page cache.
   *
   * @param arguments arguments for the JVM, in addition to its memory sizes
   */
  public static List<String> command(long memoryBytes, List<String> arguments) {
    long megabytes = memoryBytes >> 20;
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xms" + megabytes / 8 + "m",
        "-Xmx" + megabytes * 3 / 8 + "m",
        "-XX:MaxDirectMemorySize=" + megabytes / 4 + "m",
        "-XX:+UseG1GC",
        "-XX:+ExitOnOutOfMemoryError",
        "-Dlmdbjava.disable.checks=true",
        "--add-opens=java.base/java.nio=ALL-UNNAMED",
        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED"));
    // Newer JDKs warn about the native bindings of other stores.
    if (Runtime.version().feature() >= 22) {
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    if (Runtime.version().feature() >= 23) {
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    command.addAll(arguments);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    return command;
  }
}
