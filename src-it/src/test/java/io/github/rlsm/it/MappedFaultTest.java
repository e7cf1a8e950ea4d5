// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.proof.Proof;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Removes pages of files while they are mapped, as a media error does. The store returns the
 * correct answer or throws a typed error, and the JVM never dies of SIGBUS. The interpreter and
 * each compiler handle faults differently, so each has a separate child.
 */
class MappedFaultTest {

  private static final List<String> COMMON = List.of(
      "-XX:+UseSerialGC",
      "-Xmx512m",
      "-ea",
      "-XX:-CreateCoredumpOnCrash",
      "-XX:+DisplayVMOutputToStderr");

  @TempDir
  Path temporary;

  @Test
  void faultsAreTypedErrorsInInterpreter() throws Exception {
    run(Proof.count("t5.cuts.interpreted", 1), 0, "-Xint");
  }

  @Test
  void faultsAreTypedErrorsInFastCompiler() throws Exception {
    run(Proof.count("t5.cuts.quick", 4), 100, "-XX:TieredStopAtLevel=1");
  }

  /**
   * Uses the optimizing compiler, early for the store's code only. Compiling all other code as
   * early takes most of a minute and tests nothing more.
   */
  @Test
  void faultsAreTypedErrorsInOptimizingCompiler() throws Exception {
    run(
        Proof.count("t5.cuts.hot", 3),
        500,
        "-XX:CompileCommand=CompileThresholdScaling,io.github.rlsm.*::*,0.1");
  }

  /** Compiles everything with the optimizing compiler before the first call; takes minutes. */
  @Test
  void faultsAreTypedErrorsIfAllIsCompiled() throws Exception {
    run(Proof.count("t5.cuts.compiled", 0), 100, "-Xcomp", "-XX:-TieredCompilation");
  }

  /** The check itself throws the fault, not the code after it. */
  @ParameterizedTest
  @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation"})
  void faultIsReportedByTheCheckBehindIt(String compilers) throws Exception {
    int files = 20;
    List<String> options = new ArrayList<>(COMMON);
    options.add(compilers);
    List<String> arguments = List.of(temporary.toString(), String.valueOf(files));
    try (ChildJvm child = ChildJvm.start(
        List.of(), options, FaultReportChild.class, arguments, temporary.resolve("errors"))) {
      assertThat(child.report()).as(() -> said(child)).hasValue(2L * files);
      assertThat(child.report()).as("faults that the check let pass").hasValue(0);
    }
  }

  private void run(int stores, int warmUp, String... flags) throws Exception {
    if (stores == 0) {
      return;
    }
    long seed = Proof.seed("T5");
    List<String> options = new ArrayList<>(COMMON);
    options.addAll(List.of(flags));
    options.add("-XX:ErrorFile=" + temporary.resolve("hs_err.log"));
    List<String> arguments = List.of(
        temporary.toString(), String.valueOf(seed), String.valueOf(stores), String.valueOf(warmUp));
    long right = 0;
    long failed = 0;
    int finished = 0;
    try (ChildJvm child = ChildJvm.start(
        List.of(), options, MappedFaultChild.class, arguments, temporary.resolve("errors"))) {
      for (OptionalLong next = child.report(); next.isPresent(); next = child.report()) {
        right += next.getAsLong();
        failed += child.report().orElse(0);
        finished++;
      }
      assertThat(child.exitCode()).as(() -> said(child)).isZero();
    }
    assertThat(files("hs_err")).isEmpty();
    assertThat(finished).isEqualTo(stores);
    assertThat(right).isPositive();
    assertThat(failed).as("typed errors").isPositive();
    Proof.ran("T5", "stores with files cut under them", stores);
  }

  private static String said(ChildJvm child) {
    try {
      return child.errors();
    } catch (IOException e) {
      return e.toString();
    }
  }

  private List<Path> files(String prefix) throws IOException {
    try (Stream<Path> all = Files.list(temporary)) {
      return all.filter(file -> file.getFileName().toString().startsWith(prefix))
          .toList();
    }
  }
}
