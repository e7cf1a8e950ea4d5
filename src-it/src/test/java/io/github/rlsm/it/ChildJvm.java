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
 * A child JVM that runs a test's main class and reports over a pipe. The class must exit when its
 * input ends, so that no child outlives the test.
 *
 * <p>Threads: one.
 */
final class ChildJvm implements AutoCloseable {

  /** The exit code of a process that was killed, or that halted as if killed. */
  static final int KILLED = 128 + 9;

  /**
   * The options of a short-lived JVM: the optimizing compiler and a parallel garbage collector
   * would not pay off.
   */
  static final List<String> SHORT_LIVED =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m", "-ea");

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
   * @param launcher prefix of the JVM's command line, for example a tracer
   * @param main class to run, from this JVM's class path
   * @param errors file for the child's standard error
   */
  static ChildJvm start(List<String> launcher, Class<?> main, List<String> arguments, Path errors)
      throws IOException {
    return start(launcher, SHORT_LIVED, main, arguments, errors);
  }

  /** Like the shorter form, with the JVM's options. */
  static ChildJvm start(
      List<String> launcher,
      List<String> options,
      Class<?> main,
      List<String> arguments,
      Path errors)
      throws IOException {
    return start(launcher, options, classPath(), main, arguments, errors);
  }

  /** Like the shorter form, with the class path. */
  static ChildJvm start(
      List<String> launcher,
      List<String> options,
      String classPath,
      Class<?> main,
      List<String> arguments,
      Path errors)
      throws IOException {
    List<String> command = new ArrayList<>(launcher);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add("-cp");
    command.add(classPath);
    command.add(main.getName());
    command.addAll(arguments);
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    return new ChildJvm(process, errors);
  }

  /** Like the longer form, without a launcher. */
  static ChildJvm start(Class<?> main, List<String> arguments, Path errors) throws IOException {
    return start(List.of(), main, arguments, errors);
  }

  /** The class path of this JVM. */
  static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  /**
   * Options for a directory that receives the native libraries which a JVM unpacks. A killed JVM
   * leaves its copies, so a test must delete them.
   */
  static List<String> nativesIn(Path directory) {
    return List.of("-Djava.io.tmpdir=" + directory, "-Djna.tmpdir=" + directory);
  }

  long pid() {
    return process.pid();
  }

  /** Waits for the next number that the child reports. Empty after the child has ended. */
  OptionalLong report() throws IOException {
    try {
      return OptionalLong.of(reports.readLong());
    } catch (EOFException e) {
      return OptionalLong.empty();
    }
  }

  /** Sends one number to the child. */
  void say(long number) throws IOException {
    OutputStream input = process.getOutputStream();
    input.write((int) number);
    input.flush();
  }

  /** Whether the child ends by itself within that time. */
  boolean endsWithin(long micros) throws InterruptedException {
    return process.waitFor(micros, TimeUnit.MICROSECONDS);
  }

  /** Kills the child like {@code kill -9}. Reports that it has sent can still be read. */
  void kill() {
    // Process.destroyForcibly would close the pipe and discard unread reports.
    process.toHandle().destroyForcibly();
  }

  /** Waits until the child ends, and returns its exit code. */
  int exitCode() throws InterruptedException {
    return process.waitFor();
  }

  /** The child's output to standard error. */
  String errors() throws IOException {
    return Files.readString(errors, UTF_8);
  }

  /** Kills the child if it is running, and waits for its end. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
