// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.hbase.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A program in a separate JVM. It is asked by lines of its standard input, answers by lines of its
 * standard output, and ends when its input ends.
 *
 * <p>Threads: one.
 */
public final class ChildJvm implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ChildJvm.class);
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

  /** The work of a main class. */
  @FunctionalInterface
  public interface Work {
    /** Does the work. */
    void run() throws Exception;
  }

  /**
   * Called by a main class. Ends its JVM after the work, with exit code 0, or 1 if the work failed.
   *
   * @param failure the message that is logged if the work fails
   */
  public static void runAndHalt(String failure, Work work) {
    int code = 1;
    try {
      work.run();
      code = 0;
    } catch (Exception | Error e) {
      // The process ends before a handler of uncaught exceptions could print it.
      LOG.error(failure, e);
    } finally {
      // Threads of HBase and Hadoop would keep the process alive.
      Runtime.getRuntime().halt(code);
    }
  }

  /** The answer to a line. */
  interface Answer {
    String to(String line) throws IOException;
  }

  /** Called by a main class. Prints a line, and then an answer to each line of the input. */
  static void serve(String ready, Answer answer) throws IOException {
    try (BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
      System.out.println(ready);
      for (String line = requests.readLine(); line != null; line = requests.readLine()) {
        System.out.println(answer.to(line));
      }
    }
  }

  /** Kills the program like {@code kill -9}, and waits until it has ended. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
