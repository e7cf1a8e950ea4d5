// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.rlsm.CrashModel.Expected;
import io.github.rlsm.CrashRun.Sampler;
import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.kv.StoreIoException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A history in a directory whose calls fail at some point. The first error ends the history. After
 * that, the store must still be readable and must close without leaks. After the cause is removed,
 * it must open again with all acknowledged writes.
 */
final class FaultRun {

  private static final byte[] PROBE = "probe".getBytes(UTF_8);

  private final SimulatedDirectory directory;
  private final RlsmOptions options;
  private final List<CrashStep> steps;
  private final String name;
  private final UnaryOperator<StoreDirectory> wrap;
  private @Nullable CrashRun run;
  private @Nullable Throwable failure;
  private boolean probed;
  private boolean leaked;
  private int acknowledged;

  FaultRun(SimulatedDirectory directory, RlsmOptions options, List<CrashStep> steps, String name) {
    this(directory, options, steps, name, UnaryOperator.identity());
  }

  /** As the other constructor, over a decorated directory. */
  FaultRun(
      SimulatedDirectory directory,
      RlsmOptions options,
      List<CrashStep> steps,
      String name,
      UnaryOperator<StoreDirectory> wrap) {
    this.directory = directory;
    this.options = options;
    this.steps = steps;
    this.name = name;
    this.wrap = wrap;
  }

  /** The failure of the history, or null. */
  @Nullable
  Throwable failure() {
    return failure;
  }

  /** Whether a file was left open when memory ran out. */
  boolean leaked() {
    return leaked;
  }

  /** Whether the store accepted a write after the failure. */
  boolean probed() {
    return probed;
  }

  /** Runs the history up to the first error, and then checks the store and its files. */
  void run(Consumer<SimulatedDirectory> mend) {
    try {
      play();
      AllocationFaults.disarm();
      CrashRun opened = run;
      probed = opened != null && probe(opened.store());
      // The probe is a SYNC write. If it is accepted, it and all writes before it survive a power
      // loss, even before the store is closed.
      SimulatedDirectory afterProbe = directory.afterCrash(CrashStyle.DROP_UNSYNCED, 1);
      close();
      if (AllocationFaults.hit() != null) {
        leaked = !directory.openHandles().isEmpty();
      } else {
        check(directory.openHandles().isEmpty(), "left open: " + directory.openHandles());
      }
      // A leaked file stays open until the process ends.
      SimulatedDirectory closed = leaked ? directory.afterKill() : directory;
      SimulatedDirectory afterPowerLoss = directory.afterCrash(CrashStyle.DROP_UNSYNCED, 1);
      mend.accept(closed);
      mend.accept(afterPowerLoss);
      if (opened != null) {
        reopen(closed, expected(opened, acknowledged), probed);
        reopen(afterPowerLoss, opened.model().afterPowerLoss(), probed);
        if (probed) {
          mend.accept(afterProbe);
          reopen(afterProbe, expected(opened, acknowledged), true);
        }
      } else {
        reopen(closed, new CrashModel().afterPowerLoss(), false);
      }
    } catch (RuntimeException | Error e) {
      throw new AssertionError(name + ", after " + failure + ": " + e, e);
    }
  }

  private void play() {
    try {
      CrashRun opened = new CrashRun(directory, options, wrap, Sampler.NONE, 1, name);
      run = opened;
      for (CrashStep step : steps) {
        acknowledged = opened.model().writes();
        opened.run(step);
      }
      acknowledged = opened.model().writes();
      opened.close();
    } catch (StoreIoException | StoreFailedException | OutOfMemoryError e) {
      failure = e;
    }
  }

  private static Expected expected(CrashRun run, int first) {
    Expected all = run.model().afterKill();
    return new Expected(all.states(), first, all.last(), all.keyspaces());
  }

  /** Checks that reads work. Returns whether the store accepts a write. */
  private boolean probe(RlsmStore store) {
    if (store.isClosed()) {
      return false;
    }
    try {
      Expected expected = expected(run(), acknowledged);
      check(expected.find(store) >= 0, "reads show none of " + expected);
    } catch (StoreIoException e) {
      // A table or segment could not be opened. The typed error is a valid answer.
    }
    try {
      store.put(PROBE, PROBE, Durability.SYNC);
      return true;
    } catch (StoreIoException | StoreFailedException e) {
      return false;
    }
  }

  private CrashRun run() {
    CrashRun opened = run;
    if (opened == null) {
      throw new IllegalStateException("never opened");
    }
    return opened;
  }

  private void close() {
    CrashRun opened = run;
    if (opened != null) {
      try {
        opened.store().close();
      } catch (StoreIoException | StoreFailedException | OutOfMemoryError e) {
        failure = failure == null ? e : failure;
      }
    }
  }

  private void reopen(SimulatedDirectory after, Expected expected, boolean probed) {
    try (RlsmStore store = RlsmStore.open(after, options, InlineScheduler.environment(2))) {
      byte[] found = store.get(PROBE);
      check(!probed || Arrays.equals(found, PROBE), "an acknowledged write is lost");
      if (found != null) {
        store.delete(PROBE, Durability.BUFFERED);
      }
      int state = expected.find(store);
      check(state >= 0, "after the reopening none of " + expected);
      store.verify();
      store.put(PROBE, PROBE, Durability.SYNC);
      // The probe is a SYNC write, so it and all writes before it are durable.
      checkDurable(after.afterCrash(CrashStyle.DROP_UNSYNCED, 1), expected, state);
    }
    check(after.openHandles().isEmpty(), "left open: " + after.openHandles());
  }

  private void checkDurable(SimulatedDirectory afterCrash, Expected expected, int state) {
    try (RlsmStore store = RlsmStore.open(afterCrash, options, InlineScheduler.environment(3))) {
      check(
          Arrays.equals(store.get(PROBE), PROBE),
          "after the power loss an acknowledged write is lost");
      store.delete(PROBE, Durability.BUFFERED);
      Expected exactly = new Expected(expected.states(), state, state, expected.keyspaces());
      check(exactly.find(store) >= 0, "state " + state + " was promised, but is lost");
      store.verify();
    }
  }

  private static void check(boolean right, String problem) {
    if (!right) {
      throw new AssertionError(problem);
    }
  }
}
