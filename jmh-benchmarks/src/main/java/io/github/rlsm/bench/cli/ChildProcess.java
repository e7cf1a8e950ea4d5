// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.cli;

import io.github.rlsm.bench.gauge.MemoryCgroup;
import io.github.rlsm.bench.result.Json;
import io.github.rlsm.bench.result.RunSpec;
import io.github.rlsm.bench.result.StoreResult;
import io.github.rlsm.bench.run.Directories;
import io.github.rlsm.bench.run.StoreJvm;
import io.github.rlsm.bench.run.StoreRun;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs one store through one workload in a child process, with a memory limit if the system allows
 * it.
 *
 * <p>Threads: one thread at a time.
 */
final class ChildProcess {

  private static final int EXIT_OUT_OF_MEMORY = 3;
  private static final int EXIT_KILLED = 137;

  private final Path output;
  private final Path data;
  private final List<String> jvmArguments;
  private final boolean limitMemory;

  /**
   * Sets where and how child processes run.
   *
   * @param output directory for the logs of failed processes
   * @param data directory for the stores' files
   * @param jvmArguments arguments for every JVM, in addition to its memory sizes
   * @param limitMemory whether to use memory control groups
   */
  ChildProcess(Path output, Path data, List<String> jvmArguments, boolean limitMemory) {
    this.output = output;
    this.data = data;
    this.jvmArguments = List.copyOf(jvmArguments);
    this.limitMemory = limitMemory;
  }

  /** Runs a measurement. If the process fails, returns the phases measured until then. */
  StoreResult run(RunSpec spec, int repetition) throws IOException, InterruptedException {
    String name = spec.workload().name() + "-" + spec.store().option() + "-" + repetition;
    Path scratch = data.resolve(name);
    Directories.delete(scratch);
    Path storeData = Files.createDirectories(scratch.resolve("data"));
    Path specFile = scratch.resolve("spec.json");
    Path resultFile = scratch.resolve("result.json");
    Path log = scratch.resolve("log");
    Json.write(specFile, spec);
    List<String> command =
        new ArrayList<>(StoreJvm.command(spec.conditions().memoryBytes(), jvmArguments));
    command.add(StoreRun.class.getName());
    command.add(specFile.toString());
    command.add(Integer.toString(repetition));
    command.add(storeData.toString());
    command.add(resultFile.toString());
    int exitCode = execute(limited(command, name, spec.conditions().memoryBytes()), log);
    if (wasKilledForRecovery(resultFile)) {
      exitCode = execute(limited(command, name, spec.conditions().memoryBytes()), log);
    }
    StoreResult result = Files.exists(resultFile)
        ? Json.read(resultFile, StoreResult.class)
        : new StoreResult(spec, repetition, 0, List.of(), Map.of(), "the process ended early");
    if (exitCode != 0) {
      result = result.failed(reason(exitCode, log));
      Files.copy(log, output.resolve(name + ".log"), StandardCopyOption.REPLACE_EXISTING);
    }
    Directories.delete(scratch);
    return result;
  }

  private static boolean wasKilledForRecovery(Path resultFile) {
    return Files.exists(resultFile)
        && StoreRun.KILLED.equals(Json.read(resultFile, StoreResult.class).failure());
  }

  private List<String> limited(List<String> command, String name, long memoryBytes)
      throws IOException {
    if (!limitMemory) {
      return command;
    }
    return MemoryCgroup.create(name, memoryBytes).enter(command);
  }

  /** Runs the process, copies its output line by line to this output and to the log file. */
  private static int execute(List<String> command, Path log)
      throws IOException, InterruptedException {
    Process process = StoreJvm.process(command).redirectErrorStream(true).start();
    try (BufferedReader lines = process.inputReader();
        BufferedWriter kept = Files.newBufferedWriter(log)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        System.out.println(line);
        kept.write(line);
        kept.newLine();
      }
    } finally {
      // The child exits when its standard input ends, so it never outlives this process.
      process.getOutputStream().close();
    }
    return process.waitFor();
  }

  private static String reason(int exitCode, Path log) throws IOException {
    String error = lastError(log);
    return switch (exitCode) {
      case EXIT_OUT_OF_MEMORY -> "out of memory: Java heap";
      case EXIT_KILLED -> "killed by the system; the memory limit may be too low (see --memory)";
      default -> "exit code " + exitCode + (error == null ? "" : ": " + error);
    };
  }

  private static @Nullable String lastError(Path log) throws IOException {
    String error = null;
    for (String line : Files.readAllLines(log)) {
      if (line.contains("Exception") || line.contains("Error")) {
        error = line.strip();
      }
    }
    return error;
  }
}
