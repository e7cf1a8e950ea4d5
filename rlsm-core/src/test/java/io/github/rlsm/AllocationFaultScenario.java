// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.io.SimulatedDirectory;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A history during which allocations fail, see {@link FaultRun}. {@link AllocationFaultLoader}
 * loads this class, so the test can use it only through JDK types.
 */
public final class AllocationFaultScenario implements Function<long[], String> {

  /** Steps that end every history, because random steps may lack them. */
  private static final List<CrashStep.Kind> LAST_STEPS = List.of(
      CrashStep.Kind.FLUSH, CrashStep.Kind.SETTLE, CrashStep.Kind.COLLECT, CrashStep.Kind.REOPEN);

  /**
   * Runs a history.
   *
   * @param arguments the number of a {@link TinyOptions}; the number of the first failing
   *     allocation, negative for none; the number of failing allocations. Then the seed of the
   *     history, and the number of its random steps.
   * @return the outcome: whether the history failed, and whether the store accepted a write after
   *     it
   */
  @Override
  public String apply(long[] arguments) {
    TinyOptions options = TinyOptions.values()[(int) arguments[0]];
    long from = arguments[1] < 0 ? Long.MAX_VALUE : arguments[1];
    String name = options + ", " + arguments[2] + " allocations fail from number " + arguments[1]
        + " on, seed " + arguments[3] + ", " + arguments[4] + " steps";
    SplittableRandom random = new SplittableRandom(arguments[3]);
    Stream<CrashStep> drawn = CrashStep.random(random, (int) arguments[4]).stream();
    Stream<CrashStep> last =
        LAST_STEPS.stream().map(kind -> new CrashStep(kind, random.nextLong()));
    List<CrashStep> steps = Stream.concat(drawn, last)
        .filter(
            step -> step.kind() != CrashStep.Kind.KILL && step.kind() != CrashStep.Kind.POWER_LOSS)
        .toList();
    SimulatedDirectory directory = options.directory();
    FaultRun run = new FaultRun(directory, options.options(), steps, name);
    AllocationFaults.arm(from, arguments[2]);
    run.run(files -> {});
    return (run.failure() == null ? "no failure" : "a failure")
        + (run.leaked() ? ", a file left open" : "")
        + (run.probed() ? ", took a write" : ", took no write");
  }
}
