// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.Fault;
import io.github.rlsm.io.IoEvent;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.TestSeed;
import io.github.rlsm.proof.Proof;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Test T5: the k-th call to the directory fails, in each of eight ways, once or permanently. Leaves
 * out cases whose fault cannot hit the k-th call. A single fault has no effect there, and a
 * permanent fault equals the case of the next call that it can hit.
 *
 * <p>The system property {@code rlsm.t5.runs} sets the number of cases for each set of options,
 * {@value #RUNS} by default. A number larger than the number of cases runs all of them.
 */
@ExtendWith(SilentLog.class)
class RlsmEveryFaultTest {

  private static final int RUNS = 15;
  private static final int CALLS_MIN = 2_000;
  private static final int STEPS_MORE = 40;

  private static final Set<Fault> FAULTS = EnumSet.of(
      Fault.NO_SPACE,
      Fault.READ_ERROR,
      Fault.WRITE_ERROR,
      Fault.FORCE_ERROR,
      Fault.SHORT_TRANSFER,
      Fault.OPEN_ERROR,
      Fault.RENAME_ERROR,
      Fault.DELETE_ERROR);

  /** A case: the k-th call fails. */
  private record Case(int k, Fault fault, boolean forever) {}

  /** A workload with a minimum number of calls. */
  private static final class Workload {

    final TinyOptions options;
    final List<CrashStep> steps = new ArrayList<>();
    List<IoEvent.Kind> calls = List.of();

    Workload(TinyOptions options) {
      this.options = options;
      SplittableRandom random = new SplittableRandom(options.ordinal());
      while (calls.size() < CALLS_MIN) {
        CrashStep.random(random, STEPS_MORE).stream()
            .filter(step ->
                step.kind() != CrashStep.Kind.KILL && step.kind() != CrashStep.Kind.POWER_LOSS)
            .forEach(steps::add);
        calls = play();
      }
    }

    /** Runs the workload without a failure. Returns its calls. */
    private List<IoEvent.Kind> play() {
      SimulatedDirectory directory = options.directory();
      List<IoEvent.Kind> kinds = new ArrayList<>();
      directory.recordCalls(kinds);
      CrashRun run = new CrashRun(
          directory,
          options.options(),
          UnaryOperator.identity(),
          CrashRun.Sampler.NONE,
          1,
          "no failure");
      steps.forEach(run::run);
      run.close();
      return kinds;
    }

    List<Case> cases() {
      List<Case> cases = new ArrayList<>();
      for (int k = 0; k < calls.size(); k++) {
        for (Fault fault : FAULTS) {
          if (fault.appliesTo(calls.get(k))) {
            cases.add(new Case(k, fault, false));
            cases.add(new Case(k, fault, true));
          }
        }
      }
      return cases;
    }

    void run(Case failing) {
      SimulatedDirectory directory = options.directory();
      long first = directory.eventCount();
      directory.failAt(first + failing.k, failing.fault, failing.forever);
      new FaultRun(directory, options.options(), steps, options + ", " + failing)
          .run(SimulatedDirectory::mend);
      assertThat(directory.hasFailed()).as("%s, %s", options, failing).isTrue();
    }
  }

  @Test
  void everyCallMayFailInEveryWay() {
    long seed = Proof.seed("T5");
    int goal = Proof.count("t5.runs", RUNS);
    long done = 0;
    for (TinyOptions options : List.of(
        TinyOptions.LINKING, TinyOptions.SEPARATING, TinyOptions.ROOMY, TinyOptions.DIRECT)) {
      Workload workload = new Workload(options);
      List<Case> cases = workload.cases();
      Collections.shuffle(cases, new Random(seed));
      for (Case each : cases.subList(0, Math.min(goal, cases.size()))) {
        try {
          workload.run(each);
        } catch (AssertionError e) {
          throw new AssertionError(TestSeed.howToReplay(seed) + ": " + e.getMessage(), e);
        }
        done++;
      }
    }
    Proof.ran("T5", "failing calls", done);
  }
}
