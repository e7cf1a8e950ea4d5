// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.Fault;
import io.github.rlsm.io.IoEvent;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.DiskFullException;
import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.proof.Proof;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The k-th call to the directory fails in three ways, for some k of a workload, once or
 * permanently; and the disk runs full. {@link RlsmEveryFaultTest} has more kinds of failures.
 *
 * <p>The system property {@code rlsm.t5.calls} sets the number of values of k for each set of
 * options, {@value #CALLS} by default. A number larger than the number of calls tries all of them.
 */
class RlsmFaultTest {

  private static HealthLog log;

  @BeforeAll
  static void keepTheConsoleShort() {
    log = new HealthLog();
  }

  @AfterAll
  static void endLog() {
    log.close();
  }

  private static final int CALLS = 30;
  private static final int STEPS = 120;

  private static List<CrashStep> steps(int seed) {
    return CrashStep.random(new SplittableRandom(seed), STEPS).stream()
        .filter(
            step -> step.kind() != CrashStep.Kind.KILL && step.kind() != CrashStep.Kind.POWER_LOSS)
        .toList();
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"NO_SPACE", "IO_ERROR", "IO_ERROR_AFTER"})
  void everyCallMayFail(Fault fault) {
    SplittableRandom random = new SplittableRandom(Proof.seed("t5"));
    int calls = Proof.count("t5.calls", CALLS);
    int failures = failCalls(fault, calls, random, UnaryOperator.identity());
    assertThat(failures).isGreaterThan(20);
    Proof.ran("T5", "histories with a failed call", failures);
  }

  /**
   * Fails about the given number of calls in each of some histories, once and permanently. Returns
   * the number of histories that failed.
   */
  static int failCalls(
      Fault fault, int calls, SplittableRandom random, UnaryOperator<StoreDirectory> wrap) {
    int failures = 0;
    for (TinyOptions options : List.of(
        TinyOptions.LINKING, TinyOptions.COPYING, TinyOptions.SEPARATING, TinyOptions.DIRECT)) {
      List<CrashStep> steps = steps(options.ordinal());
      SimulatedDirectory sound = options.directory();
      List<IoEvent.Kind> kinds = new ArrayList<>();
      sound.recordCalls(kinds);
      new FaultRun(sound, options.options(), steps, options + ", no call fails", wrap)
          .run(SimulatedDirectory::mend);
      int[] mayFail = IntStream.range(0, kinds.size())
          .filter(k -> fault.appliesTo(kinds.get(k)))
          .toArray();
      int stride = Math.max(1, mayFail.length / calls);
      for (int i = random.nextInt(stride); i < mayFail.length; i += stride) {
        for (boolean forever : new boolean[] {false, true}) {
          SimulatedDirectory directory = options.directory();
          directory.failAt(directory.eventCount() + mayFail[i], fault, forever);
          String name = options + ", call " + mayFail[i] + " fails with " + fault
              + (forever ? " permanently" : "");
          FaultRun run = new FaultRun(directory, options.options(), steps, name, wrap);
          run.run(SimulatedDirectory::mend);
          failures += run.failure() == null ? 0 : 1;
        }
      }
    }
    return failures;
  }

  @ParameterizedTest
  @EnumSource(TinyOptions.class)
  void theDiskRunsFull(TinyOptions options) {
    int full = 0;
    for (int i = 0; i < 12; i++) {
      SimulatedDirectory directory = options.directory();
      directory.capacity(60_000L + 17_000L * i);
      String name = options + ", full " + i;
      FaultRun run = new FaultRun(directory, options.options(), steps(i), name);
      run.run(files -> files.capacity(Long.MAX_VALUE));
      if (run.failure() != null) {
        full++;
        assertThat(run.failure())
            .isInstanceOfAny(DiskFullException.class, StoreFailedException.class);
      }
    }
    assertThat(full).isPositive();
  }
}
