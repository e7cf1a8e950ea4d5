// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.Fault;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.DiskFullException;
import io.github.rlsm.kv.StoreFailedException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The k-th call to the directory fails, for many k of a workload, once or from then on; and the
 * disk runs full.
 *
 * <p>The system property {@code rlsm.fault.stride} says how far apart the k are, {@value #STRIDE}
 * unless it is set; 1 for every call.
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

  private static final int STRIDE = 7;
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
    int stride = Integer.getInteger("rlsm.fault.stride", STRIDE);
    assertThat(failEveryCall(fault, stride, UnaryOperator.identity())).isGreaterThan(20);
  }

  /** Has calls of some histories fail. Returns how many histories failed by it. */
  static int failEveryCall(Fault fault, int stride, UnaryOperator<StoreDirectory> wrap) {
    int failures = 0;
    for (TinyOptions options : List.of(
        TinyOptions.LINKING, TinyOptions.COPYING, TinyOptions.SEPARATING, TinyOptions.DIRECT)) {
      List<CrashStep> steps = steps(options.ordinal());
      boolean hit = true;
      for (int k = options.ordinal(); hit; k += stride) {
        hit = false;
        for (boolean forever : new boolean[] {false, true}) {
          SimulatedDirectory directory = options.directory();
          directory.failAt(k, fault, forever);
          String name =
              options + ", call " + k + " fails with " + fault + (forever ? " for ever" : "");
          FaultRun run = new FaultRun(directory, options.options(), steps, name, wrap);
          run.run(SimulatedDirectory::mend);
          hit |= directory.eventCount() > k;
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
