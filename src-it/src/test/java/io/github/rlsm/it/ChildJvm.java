// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * A second JVM that runs a test's main class and reports over a pipe. It must end when its input
 * does, so that no child outlives the test.
 *
 * <p>Threads: one.
 */
final class ChildJvm implements AutoCloseable {

  /** What a process that was killed, or halted as if it were, ends with. */
  static final int KILLED = 128 + 9;

  private final Process process;
  private final DataInputStream reports;
  private final Path errors;

  private ChildJvm(Process process, Path errors) {
    this.process = process;
    this.reports = new DataInputStream(process.getInputStream());
    this.errors = errors;
  }

  /**
   * Starts a child.
   *
   * @param launcher what to put before the JVM's own command, for example a tracer
   * @param main the class to run, from this JVM's class path
   * @param errors the file that takes what it writes to its standard error
   */
  static ChildJvm start(List<String> launcher, Class<?> main, List<String> arguments, Path errors)
      throws IOException {
    // Children live for a moment: no time for the optimizing compiler, no second core for the
    // garbage collector.
    return start(
        launcher,
        List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m", "-ea"),
        main,
        arguments,
        errors);
  }

  /** As the shorter form, with the JVM's options. */
  static ChildJvm start(
      List<String> launcher,
      List<String> options,
      Class<?> main,
      List<String> arguments,
      Path errors)
      throws IOException {
    List<String> command = new ArrayList<>(launcher);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(main.getName());
    command.addAll(arguments);
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    return new ChildJvm(process, errors);
  }

  /** As the longer form, without a launcher. */
  static ChildJvm start(Class<?> main, List<String> arguments, Path errors) throws IOException {
    return start(List.of(), main, arguments, errors);
  }

  long pid() {
    return process.pid();
  }

  /** The next number it reports, waiting for it; empty once it has ended. */
  OptionalLong report() throws IOException {
    try {
      return OptionalLong.of(reports.readLong());
    } catch (EOFException e) {
      return OptionalLong.empty();
    }
  }

  /** Says one number to the child. */
  void say(long number) throws IOException {
    OutputStream input = process.getOutputStream();
    input.write((int) number);
    input.flush();
  }

  /** Whether it ends by itself in that time. */
  boolean endsWithin(long micros) throws InterruptedException {
    return process.waitFor(micros, TimeUnit.MICROSECONDS);
  }

  /** Kills it as {@code kill -9} does. Reports that it has sent can still be read. */
  void kill() {
    // Not by Process.destroyForcibly, which closes the pipe with what is still in it.
    process.toHandle().destroyForcibly();
  }

  /** Waits for the end and returns the exit code. */
  int exitCode() throws InterruptedException {
    return process.waitFor();
  }

  /** What it has written to its standard error. */
  String errors() throws IOException {
    return Files.readString(errors, UTF_8);
  }

  /** Kills it if it runs, and waits until it is gone. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
