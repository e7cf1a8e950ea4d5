// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.github.rlsm.proof.Proof;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The n-th allocation of a history fails, in any activity of the store: opening, a write, a read, a
 * flush, a compaction, a collection, closing. No acknowledged write may be lost, no thread may
 * hang, the store must close without leaks and open again with a prefix of the history.
 *
 * <p>The system property {@code rlsm.t5.allocations} sets the number of values of n in each
 * history; 0 tries every n.
 */
@ExtendWith(SilentLog.class)
class RlsmAllocationFaultTest {

  /** The time limit. Only a run that hangs exceeds it. */
  private static final long HANGING_SECONDS = 120;

  /** Random steps of a history; doubled while the history allocates too little. */
  private static final int STEPS = 60;

  /** A history this long allocates enough, unless allocations are not counted. */
  private static final int MOST_STEPS = 1000;

  /** A history without a full component may allocate less. It would then test few places. */
  private static final long FEWEST_ALLOCATIONS = 10_000;

  @ParameterizedTest
  @ValueSource(strings = {"LINKING", "SEPARATING", "DIRECT"})
  void everyAllocationMayFail(String options) throws Exception {
    int samples = Proof.count("t5.allocations", 150);
    long seed = Proof.seed("T5");
    Function<long[], String> scenario =
        AllocationFaultLoader.scenario(AllocationFaultScenario.class);
    int number = TinyOptions.valueOf(options).ordinal();
    int steps = STEPS;
    run(scenario, number, -1, 1, seed, steps); // initializes the classes
    run(scenario, number, -1, 1, seed, steps);
    while (AllocationFaults.count() <= FEWEST_ALLOCATIONS) {
      assertThat(steps).as("steps of a history that allocates too little").isLessThan(MOST_STEPS);
      steps *= 2;
      run(scenario, number, -1, 1, seed, steps);
    }
    long allocations = AllocationFaults.count();
    SplittableRandom random = new SplittableRandom(seed);
    long stride = samples == 0 ? 1 : Math.max(1, allocations / samples);
    int runs = 0;
    Map<String, Integer> outcomes = new TreeMap<>();
    Map<String, String> failures = new TreeMap<>();
    for (long n = stride == 1 ? 0 : random.nextLong(stride); n < allocations; n += stride) {
      try {
        outcomes.merge(run(scenario, number, n, 1, seed, steps), 1, Integer::sum);
      } catch (ExecutionException e) {
        failures.putIfAbsent(problem(e), describe(n, e));
      }
      runs++;
    }
    System.out.println(options + ": " + outcomes);
    assertThat(failures.values()).as("by the first problem of each kind").isEmpty();
    Proof.ran("T5", "failed allocations", runs);
  }

  /** Returns the place where the allocation failed, so that each cause is reported once. */
  private static String problem(ExecutionException failure) {
    Throwable hit = AllocationFaults.hit();
    return hit == null ? failure.toString() : hit.getStackTrace()[1].toString();
  }

  private static String describe(long n, ExecutionException failure) {
    StringWriter text = new StringWriter();
    PrintWriter to = new PrintWriter(text);
    to.println("allocation " + n + ": " + failure.getCause());
    Throwable hit = AllocationFaults.hit();
    if (hit != null) {
      Stream.of(hit.getStackTrace()).skip(1).limit(12).forEach(to::println);
    }
    return text.toString();
  }

  private static String run(Function<long[], String> scenario, long... arguments) throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
      Thread made = new Thread(task, "allocation-fault");
      made.setDaemon(true);
      return made;
    });
    Future<String> run = thread.submit(() -> scenario.apply(arguments));
    thread.shutdown();
    try {
      return run.get(HANGING_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      StringBuilder dump = new StringBuilder();
      for (ThreadInfo each : ManagementFactory.getThreadMXBean().dumpAllThreads(true, true)) {
        dump.append(each);
      }
      return fail("hangs when allocation " + arguments[1] + " fails\n" + dump, e);
    }
  }
}
