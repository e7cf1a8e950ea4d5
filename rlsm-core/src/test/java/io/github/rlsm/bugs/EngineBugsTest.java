// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bugs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.rlsm.bugs.ChildTests.Outcome;
import io.github.rlsm.bugs.ChildTests.Result;
import io.github.rlsm.proof.Proof;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each seeded bug in the engine is caught by the test that guards the broken rule, and by the right
 * assertion. Another exception, a time-out or a compiler error does not count. On the sound engine,
 * the same tests pass in the same setup.
 *
 * <p>By default {@value #SAMPLE} bugs are tried, others every day, and all bugs that a kept history
 * catches. The system property {@code rlsm.bugs} sets another number, or {@code all}, or names
 * bugs, separated by commas. {@code rlsm.seed} selects the sample of another day.
 */
class EngineBugsTest {

  private static final String LIST = "engine-bugs.txt";
  private static final String ALL = "all";
  private static final int SAMPLE = 6;
  private static final int BUGS_MIN = 10;
  private static final long CHILD_SECONDS = 120;

  /** What each test of a child adds to its time: all tests of the control run in one child. */
  private static final long TEST_SECONDS = 10;

  private static final List<SeededBug> BUGS = BugList.read(LIST);

  @TempDir
  Path directory;

  private int caught;

  /**
   * Checks that every bug fits the present source, because the daily sample may miss an outdated
   * one.
   */
  @Test
  void everyBugFitsTheSource() throws IOException {
    Set<String> names = new HashSet<>();
    for (SeededBug bug : BUGS) {
      assertThat(names.add(bug.name())).as("a second bug %s", bug.name()).isTrue();
      String sound = BrokenEngine.source(bug);
      assertThat(bug.applyTo(sound)).isNotEqualTo(sound);
    }
    assertThat(BUGS).hasSizeGreaterThanOrEqualTo(BUGS_MIN);
  }

  @Test
  void aBugThatDoesNotFitTheSourceIsReported() {
    SeededBug bug = BugList.parse("""
        bug gone
        breaks a rule
        in log/LogRing.java
        test log.DirectLogTest
        fails message
        - no such line
        """).get(0);
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> bug.applyTo("one\ntwo\n"))
        .withMessageContaining("seeded bug gone: its lines are not in log/LogRing.java");
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> bug.applyTo("no such line\n  no such line\n"))
        .withMessageContaining("occur twice");
  }

  @TestFactory
  Stream<DynamicTest> isCaught() {
    List<SeededBug> sample = sample();
    Stream<DynamicTest> bugs =
        sample.stream().map(bug -> DynamicTest.dynamicTest(bug.toString(), () -> check(bug)));
    Stream<DynamicTest> control = Stream.of(
        DynamicTest.dynamicTest("the sound engine passes", () -> checkControl(sample)),
        DynamicTest.dynamicTest("all were caught", () -> {
          assertThat(caught).isEqualTo(sample.size());
          Proof.ran("bugs", "bugs caught", caught);
        }));
    return Stream.concat(bugs, control);
  }

  private static List<SeededBug> sample() {
    String wanted = System.getProperty("rlsm.bugs", Integer.toString(SAMPLE));
    if (wanted.equals(ALL)) {
      return BUGS;
    } else if (!Character.isDigit(wanted.charAt(0))) {
      Collection<String> names = Arrays.asList(wanted.split(","));
      return BUGS.stream().filter(bug -> names.contains(bug.name())).toList();
    }
    int count = Math.min(BUGS.size(), Proof.count("bugs", SAMPLE));
    long day = Long.getLong("rlsm.seed", LocalDate.now(ZoneOffset.UTC).toEpochDay());
    System.out.println("PROOF bugs: replay the sample with -Drlsm.seed=" + day);
    int first = (int) Math.floorMod(day * count, (long) BUGS.size());
    Stream<SeededBug> daily =
        IntStream.range(first, first + count).mapToObj(i -> BUGS.get(i % BUGS.size()));
    // A kept history may miss its bug after any change of the engine's decisions.
    Stream<SeededBug> kept =
        BUGS.stream().filter(bug -> bug.properties().containsKey("rlsm.history"));
    return Stream.concat(daily, kept).distinct().toList();
  }

  private void check(SeededBug bug) throws Exception {
    Path classes = Files.createDirectory(directory.resolve(bug.name()));
    BrokenEngine.compile(bug, classes);
    List<Result> results = run(classes.toString(), bug.name(), bug.properties(), bug.tests());
    assertThat(results)
        .as("results of %s on an engine with the bug %s", bug.tests(), bug)
        .anyMatch(result -> result.outcome() == Outcome.ASSERTION
            && bug.assertion().matcher(result.message()).find());
    caught++;
  }

  private void checkControl(List<SeededBug> sample) throws Exception {
    Map<Map<String, String>, Set<String>> tests = new LinkedHashMap<>();
    for (SeededBug bug : sample) {
      tests.computeIfAbsent(bug.properties(), with -> new LinkedHashSet<>()).addAll(bug.tests());
    }
    int number = 0;
    for (Map.Entry<Map<String, String>, Set<String>> each : tests.entrySet()) {
      List<Result> results = run("", "control" + number++, each.getKey(), each.getValue());
      assertThat(results)
          .as("results of %s on the sound engine", each.getValue())
          .isNotEmpty()
          .allMatch(result -> result.outcome() == Outcome.PASSED);
    }
  }

  /** Runs tests in a child JVM and returns their results. */
  private List<Result> run(
      String classesFirst, String name, Map<String, String> properties, Collection<String> tests)
      throws Exception {
    Path results = directory.resolve(name + ".results");
    Path output = directory.resolve(name + ".out");
    String classPath = System.getProperty("java.class.path");
    List<String> command = new ArrayList<>(List.of(
        ProcessHandle.current().info().command().orElseThrow(),
        "-ea",
        "-Xmx512m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Drlsm.proof.report=" + directory.resolve("proof.tsv"),
        "-cp",
        classesFirst.isEmpty()
            ? classPath
            : classesFirst + System.getProperty("path.separator") + classPath));
    properties.forEach((key, value) -> command.add(1, "-D" + key + "=" + value));
    command.add(ChildTests.class.getName());
    command.add(results.toString());
    command.addAll(tests);
    Process child = new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
    long seconds = CHILD_SECONDS + TEST_SECONDS * tests.size();
    if (!child.waitFor(seconds, TimeUnit.SECONDS)) {
      child.destroyForcibly().waitFor();
      throw new AssertionError(name + ": no end after " + seconds + " s, " + tests);
    }
    assertThat(child.exitValue())
        .as("exit status of %s\n%s", name, Files.readString(output))
        .isZero();
    return ChildTests.results(results);
  }
}
