// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shipped;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The result of a program that ran in a separate process. The program does not see the class path
 * of the test.
 *
 * @param exitCode the exit code of the process
 * @param output the text of its standard output and its standard error
 */
public record Program(int exitCode, String output) {

  /**
   * Runs a command.
   *
   * @param folder its working directory; its output is kept there in {@code output.txt}
   */
  public static Program run(Path folder, List<String> command)
      throws IOException, InterruptedException {
    Path output = folder.resolve("output.txt");
    ProcessBuilder program = new ProcessBuilder(command)
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
        .redirectOutput(output.toFile());
    // For scripts: the JDK of the test.
    program.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = program.start();
    try {
      int exitCode = process.waitFor();
      return new Program(exitCode, Files.readString(output, UTF_8));
    } finally {
      process.destroyForcibly();
    }
  }

  /** Runs this JDK's {@code java} with the given arguments. */
  public static Program java(Path folder, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Short-lived: no time for the optimizing compiler, no second core for the garbage collector.
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m"));
    command.addAll(Arrays.asList(arguments));
    return run(folder, command);
  }

  /**
   * Returns the jar of the module under test with this classifier, or its main jar for an empty
   * classifier. The build passes the name in the system property {@code rlsm.jar}.
   */
  public static Path jar(String classifier) {
    String name = Objects.requireNonNull(System.getProperty("rlsm.jar"), "the build sets rlsm.jar");
    return Path.of(name + (classifier.isEmpty() ? "" : "-" + classifier) + ".jar");
  }

  /** All jars of a folder, by name. */
  public static List<Path> jars(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
  }

  /** Jars and folders as one class path. */
  public static String classPath(List<Path> elements) {
    return elements.stream()
        .map(path -> path.toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }
}
