// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.proof;

import io.github.rlsm.kv.TestSeed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/**
 * The size of a statistical test, and its report.
 *
 * <p>The default size suits the gate. A system property raises it for the full run, which repeats a
 * test in chunks with different seeds. Reports go to the standard output and to the file named by
 * the system property {@code rlsm.proof.report}, by default {@code target/proof.tsv}.
 *
 * <p>Threads: safe.
 */
public final class Proof {

  private static final String PREFIX = "rlsm.";

  private Proof() {}

  /**
   * Returns the size of a test: the system property {@code rlsm.<name>}, or the default.
   *
   * @param name the test and the unit, for example {@code t1.points}
   * @throws IllegalArgumentException if the property is not a number of 0 or more
   */
  public static int count(String name, int byDefault) {
    String text = System.getProperty(PREFIX + name, "");
    if (text.isEmpty()) {
      return byDefault;
    }
    try {
      int count = Integer.parseInt(text);
      if (count >= 0) {
        return count;
      }
    } catch (NumberFormatException e) {
      // The error below covers this and negative numbers.
    }
    throw new IllegalArgumentException("-D" + PREFIX + name + "=" + text + " is not a count");
  }

  /**
   * Returns the seed of a randomised test: the system property {@code rlsm.seed}, or a fresh one.
   * Prints how to replay it.
   *
   * @param test the test's name in the test plan, for example {@code T1}
   */
  public static long seed(String test) {
    long seed = TestSeed.get();
    System.out.println("PROOF " + test + ": " + TestSeed.howToReplay(seed));
    return seed;
  }

  /**
   * Reports the work of a successful test. A failed test reports nothing.
   *
   * @param test the test's name in the test plan, for example {@code T1}
   * @param what the counted thing, in the plural, for example {@code crash points}
   */
  public static synchronized void ran(String test, String what, long count) {
    System.out.printf(Locale.ROOT, "PROOF %s: %,d %s%n", test, count, what);
    Path report = Path.of(System.getProperty("rlsm.proof.report", "target/proof.tsv"));
    try {
      Files.createDirectories(report.toAbsolutePath().getParent());
      Files.writeString(
          report,
          test + "\t" + what + "\t" + count + "\n",
          StandardCharsets.UTF_8,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot report to " + report, e);
    }
  }
}
