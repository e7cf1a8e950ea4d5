// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.hbase.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A program in a JVM of its own. It is asked by lines of its standard input, answers by lines of
 * its standard output, and ends when its input ends.
 *
 * <p>Threads: one.
 */
final class ChildJvm implements AutoCloseable {

  private static final int SHOWN_LINES = 40;

  private final Path log;
  private final Process process;
  private final BufferedReader answers;

  /**
   * Starts a program.
   *
   * @param log the file that receives its standard error
   * @param jvmArguments arguments of the JVM, without the class path
   * @param classPath the class path
   * @param program the main class and its arguments
   */
  ChildJvm(Path log, List<String> jvmArguments, String classPath, List<String> program)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JvmFlags.all());
    command.addAll(jvmArguments);
    command.add("-cp");
    command.add(classPath);
    command.addAll(program);
    this.log = log;
    this.process = new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
    this.answers = process.inputReader(UTF_8);
  }

  /** Waits for a line that begins with some text, and returns the rest of it. */
  String await(String begin) throws IOException {
    String line = answers.readLine();
    while (line != null && !line.startsWith(begin)) {
      line = answers.readLine();
    }
    if (line == null) {
      throw new IOException("The program has ended; see " + log + ", whose last lines are:\n"
          + String.join("\n", lastLines()));
    }
    return line.substring(begin.length());
  }

  private List<String> lastLines() throws IOException {
    // HBase logs bytes of keys, which need not be UTF-8.
    List<String> lines = Files.readAllLines(log, ISO_8859_1);
    return lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size());
  }

  /** Sends a line to the program. */
  void send(String line) throws IOException {
    OutputStream requests = process.getOutputStream();
    requests.write((line + "\n").getBytes(UTF_8));
    requests.flush();
  }

  /** Kills the program like {@code kill -9}, and waits until it has ended. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
