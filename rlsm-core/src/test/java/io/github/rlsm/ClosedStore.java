// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.CrashModel.Expected;
import io.github.rlsm.CrashRun.Sampler;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.FormatVersionException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/**
 * A closed store, for tests that damage, open and read it.
 *
 * @param directory its files
 * @param options the options that it was written with and is opened with
 * @param expected its content
 * @param earlier its files at earlier times, while it was open
 */
record ClosedStore(
    SimulatedDirectory directory,
    RlsmOptions options,
    Expected expected,
    List<SimulatedDirectory> earlier) {

  /**
   * The limit on allocations while one of these small stores is read, even if its files are
   * garbage.
   */
  private static final long ALLOCATED_MAX = 64L << 20;

  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  /**
   * Runs the given number of random steps and closes the store.
   *
   * @param flushed whether to flush everything, so that no entry is in the log alone
   */
  static ClosedStore of(TinyOptions options, int steps, boolean flushed) {
    SimulatedDirectory directory = new SimulatedDirectory();
    List<SimulatedDirectory> earlier = new ArrayList<>();
    CrashRun run = new CrashRun(
        directory, options.options(), UnaryOperator.identity(), Sampler.NONE, 1, "undamaged");
    SplittableRandom random = new SplittableRandom(options.ordinal());
    for (CrashStep step : CrashStep.random(random, steps)) {
      if (step.kind() != CrashStep.Kind.KILL && step.kind() != CrashStep.Kind.POWER_LOSS) {
        run.run(step);
        earlier.add(directory.afterKill());
      }
    }
    if (flushed) {
      run.store().settle();
    }
    run.close();
    return new ClosedStore(directory, options.options(), run.model().afterPowerLoss(), earlier);
  }

  /** Returns the index of the first occurrence of some bytes in a file; -1 if there is none. */
  static int indexOf(byte[] bytes, byte[] wanted) {
    for (int i = 0; i <= bytes.length - wanted.length; i++) {
      if (Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
        return i;
      }
    }
    return -1;
  }

  static StoreFileName.Type type(String file) {
    return StoreFileName.parse(file).orElseThrow().type();
  }

  /**
   * Opens the store with a damaged file. The store must give right answers, or an error that names
   * the file.
   */
  void check(SimulatedDirectory damaged, String damage, String file) {
    check(damaged, damage, false, file);
  }

  /**
   * As {@link #check(SimulatedDirectory, String, String)}.
   *
   * @param isOlder whether the damaged file is a valid earlier version. If so, the store may be in
   *     any earlier state, and an error may name a file that only the earlier version refers to
   */
  void check(SimulatedDirectory damaged, String damage, boolean isOlder, String file) {
    String what = file + " " + damage + " in " + options;
    long allocated = THREADS.getCurrentThreadAllocatedBytes();
    try (RlsmStore store = RlsmStore.open(damaged, options, InlineScheduler.environment(3))) {
      store.verify();
      int first = isOlder ? 0 : expected.first();
      Expected right =
          new Expected(expected.states(), first, expected.last(), expected.keyspaces());
      assertThat(right.find(store)).as(what).isNotNegative();
    } catch (CorruptionException e) {
      // Recovery cannot know the name of a missing segment.
      boolean isGone = !damaged.list().contains(file) && e.getMessage().contains("is missing");
      if (!isGone && (!isOlder || directory.list().contains(e.file()))) {
        assertThat(e).as(what).hasMessageContaining(file);
      }
    } catch (FormatVersionException e) {
      assertThat(e.file()).as("%s: %s", what, e).isEqualTo(file);
    } catch (RuntimeException e) {
      throw new AssertionError(what + ": " + e, e);
    }
    assertThat(damaged.openHandles()).as(what).isEmpty();
    assertThat(THREADS.getCurrentThreadAllocatedBytes() - allocated)
        .as("allocated: %s", what)
        .isLessThan(ALLOCATED_MAX);
  }
}
