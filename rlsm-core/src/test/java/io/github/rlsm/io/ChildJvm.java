// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** A second JVM of the same version that runs a test's main class. */
public final class ChildJvm implements AutoCloseable {

  private final Process process;
  private final BufferedReader output;

  private ChildJvm(Process process) {
    this.process = process;
    this.output = process.inputReader();
  }

  /**
   * Starts a child.
   *
   * @param classPath selects the elements of this JVM's class path for the child
   */
  public static ChildJvm start(Class<?> main, Predicate<String> classPath, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.add("-cp");
    command.add(Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(classPath)
        .collect(Collectors.joining(File.pathSeparator)));
    command.add(main.getName());
    command.addAll(arguments);
    try {
      return new ChildJvm(new ProcessBuilder(command).redirectErrorStream(true).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public long pid() {
    return process.pid();
  }

  /** Waits for the child's next line and returns it. */
  public String line() throws IOException {
    return String.valueOf(output.readLine());
  }

  /** Returns the child's output up to its end. */
  public String remainingOutput() {
    return output.lines().collect(Collectors.joining("\n"));
  }

  /** Kills the child like kill -9, and waits for its end. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
