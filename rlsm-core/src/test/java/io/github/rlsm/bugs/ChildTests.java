// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bugs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * The main class of a child JVM that runs tests up to the first failure. It writes each result to a
 * file: one line for each test, with its outcome, its name and the message of its failure.
 */
final class ChildTests {

  private static final String ROOT = "io.github.rlsm.";

  /** The outcome of a test. */
  enum Outcome {
    /** It passed. */
    PASSED,
    /** It was skipped. */
    SKIPPED,
    /** An assertion failed. */
    ASSERTION,
    /** It failed in any other way. */
    ERROR
  }

  /**
   * A test that has ended.
   *
   * @param message the failure and its causes, empty if there was none
   */
  record Result(Outcome outcome, String name, String message) {

    private String line() {
      return outcome + "\t" + encode(name) + "\t" + encode(message) + "\n";
    }

    private static Result of(String line) {
      String[] fields = line.split("\t", -1);
      return new Result(Outcome.valueOf(fields[0]), decode(fields[1]), decode(fields[2]));
    }

    private static String encode(String text) {
      return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    private static String decode(String text) {
      return new String(Base64.getDecoder().decode(text), UTF_8);
    }
  }

  private ChildTests() {}

  /** Reads the results that a child has written. */
  static List<Result> results(Path file) throws IOException {
    return Files.exists(file)
        ? Files.readAllLines(file).stream().map(Result::of).toList()
        : List.of();
  }

  /**
   * Runs tests.
   *
   * @param args the file for the results, then the tests
   */
  public static void main(String[] args) {
    Path file = Path.of(args[0]);
    List<DiscoverySelector> selectors = new ArrayList<>();
    for (String test : Arrays.asList(args).subList(1, args.length)) {
      selectors.add(
          test.contains("#")
              ? DiscoverySelectors.selectMethod(ROOT + test)
              : DiscoverySelectors.selectClass(ROOT + test));
    }
    Launcher launcher = LauncherFactory.create();
    launcher.execute(
        LauncherDiscoveryRequestBuilder.request().selectors(selectors).build(), new Listener(file));
    System.exit(0); // a bug may leave threads behind
  }

  private record Listener(Path file) implements TestExecutionListener {

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
      write(new Result(Outcome.SKIPPED, test.getDisplayName(), reason));
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      Throwable failure = result.getThrowable().orElse(null);
      if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
        write(new Result(Outcome.SKIPPED, test.getDisplayName(), String.valueOf(failure)));
      } else if (failure != null) {
        Outcome outcome = failure instanceof AssertionError ? Outcome.ASSERTION : Outcome.ERROR;
        write(new Result(outcome, test.getDisplayName(), messages(failure)));
        System.exit(0); // one failure suffices, and the next may take long
      } else if (test.isTest()) {
        write(new Result(Outcome.PASSED, test.getDisplayName(), ""));
      }
    }

    private static String messages(Throwable failure) {
      return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
          .map(Throwable::toString)
          .collect(Collectors.joining("\n"));
    }

    private void write(Result result) {
      try {
        Files.writeString(
            file, result.line(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
