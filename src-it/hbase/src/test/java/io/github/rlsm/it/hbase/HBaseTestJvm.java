// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.rlsm.bench.hbase.server.JvmFlags;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A separate JVM for a test class or a cluster of HBase. It has the flags of HBase's build, HBase's
 * test configuration, and additional properties: the engine and the feature under test.
 *
 * <p>Threads: one.
 */
final class HBaseTestJvm {

  private static final Map<String, String> ENGINE =
      Map.of("hbase.hstore.engine.class", "io.github.rlsm.hbase.RlsmStoreEngine");
  private static final List<String> CONFIGURATION =
      List.of("hbase-site.xml", "hdfs-site.xml", "mapred-site.xml", "mapred-queues.xml");
  private static final Pattern PASSED = Pattern.compile("OK \\((\\d+) tests?\\)");
  private static final Pattern FAILED = Pattern.compile("Tests run: (\\d+),  Failures: \\d+");
  private static final Pattern FAILURE =
      Pattern.compile("^\\d+\\) (\\w+)(?:\\[.*])?\\(", Pattern.MULTILINE);
  private static final long MINUTES_MAX = 20;
  private static final int NEVER = -1;

  private final Path folder;
  private final Map<String, String> site;

  /** Creates a JVM with the engine, which runs in a folder that no other JVM uses. */
  HBaseTestJvm(Path folder) {
    this(folder, Map.of());
  }

  /** Creates a JVM with additional properties of the site. */
  HBaseTestJvm(Path folder, Map<String, String> properties) {
    this.folder = folder;
    this.site = new TreeMap<>(ENGINE);
    site.putAll(properties);
  }

  /**
   * The result of a test class.
   *
   * @param ran the number of tests that ran; 0 if the class did not finish
   * @param failed the names of the failed tests
   * @param output the file with all output
   */
  record Outcome(int ran, Set<String> failed, Path output) {}

  /**
   * The end of a process.
   *
   * @param code its exit code; {@value #NEVER} if it had to be killed
   * @param output the file with all output
   */
  record Ended(int code, Path output) {}

  /** Runs a test class of HBase, except for some of its tests. */
  Outcome run(String testClass, Set<String> without) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(without.isEmpty() ? "org.junit.runner.JUnitCore" : PartOfTestClass.class.getName());
    command.add("org.apache.hadoop.hbase." + testClass);
    command.addAll(without);
    Ended ended = execute(command);
    return ended.code() == NEVER
        ? new Outcome(0, Set.of(), ended.output())
        : outcome(ended.output());
  }

  /** Runs a main class with arguments, for at most {@value #MINUTES_MAX} minutes. */
  Ended execute(List<String> mainAndArguments) throws IOException, InterruptedException {
    return execute(mainAndArguments, MINUTES_MAX);
  }

  /** Runs a main class with arguments, for a limited number of minutes. */
  Ended execute(List<String> mainAndArguments, long minutesMax)
      throws IOException, InterruptedException {
    Path configuration = Files.createDirectories(folder.resolve("conf"));
    for (String name : CONFIGURATION) {
      String text = resource(name);
      boolean isSite = name.equals("hbase-site.xml");
      Files.writeString(
          configuration.resolve(name),
          isSite ? text.replace("</configuration>", properties() + "</configuration>") : text);
    }
    return run(folder, command(configuration, mainAndArguments), minutesMax);
  }

  private static Ended run(Path folder, List<String> command, long minutesMax)
      throws IOException, InterruptedException {
    Path output = folder.resolve("output.txt");
    Process process = new ProcessBuilder(command)
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
    try {
      if (!process.waitFor(minutesMax, TimeUnit.MINUTES)) {
        return new Ended(NEVER, output);
      }
    } finally {
      process.destroyForcibly();
    }
    return new Ended(process.exitValue(), output);
  }

  private String properties() {
    StringBuilder text = new StringBuilder();
    site.forEach((name, value) -> text.append("<property><name>")
        .append(name)
        .append("</name><value>")
        .append(value)
        .append("</value></property>"));
    return text.toString();
  }

  private static Outcome outcome(Path output) throws IOException {
    String text = new String(Files.readAllBytes(output), UTF_8);
    Set<String> failed = new TreeSet<>();
    Matcher failures = FAILURE.matcher(text);
    while (failures.find()) {
      failed.add(failures.group(1));
    }
    for (Pattern end : List.of(PASSED, FAILED)) {
      Matcher matcher = end.matcher(text);
      if (matcher.find()) {
        return new Outcome(Integer.parseInt(matcher.group(1)), failed, output);
      }
    }
    return new Outcome(0, failed, output);
  }

  /**
   * The command that runs a main class on this JVM's class path, preceded by a configuration
   * folder.
   */
  static List<String> command(Path configuration, List<String> mainAndArguments) {
    return command(
        configuration + System.getProperty("path.separator") + classPath(), mainAndArguments);
  }

  /** The class path of this JVM; Maven may start it with a jar that only refers to the others. */
  static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  private static List<String> command(String classPath, List<String> mainAndArguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-ea", "-Xmx2200m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(JvmFlags.all());
    command.add("-cp");
    command.add(classPath);
    command.addAll(mainAndArguments);
    return command;
  }

  /**
   * Runs a main class on another class path than this JVM's, without HBase's test configuration,
   * and returns all of its output.
   *
   * @param folder the working folder
   */
  static String output(Path folder, String classPath, List<String> mainAndArguments)
      throws IOException, InterruptedException {
    Ended ended = run(folder, command(classPath, mainAndArguments), MINUTES_MAX);
    if (ended.code() == NEVER) {
      throw new IOException(mainAndArguments + " did not end, see " + ended.output());
    }
    return Files.readString(ended.output(), UTF_8);
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = HBaseTestJvm.class.getClassLoader().getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException(name + " is not on the class path");
      }
      return new String(in.readAllBytes(), UTF_8);
    }
  }
}
