// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.rlsm.CrashModel.Expected;
import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.Durability;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Opens what a crash left and checks it: the state is one of those expected, all files are sound,
 * reads by key agree with the scan, writes are possible, and what is there now is still there after
 * the next end of the process, be it a close or another crash.
 */
final class RecoveryCheck {

  private static final byte[] FRESH = "after the crash".getBytes(UTF_8);
  private static final int SECOND_CRASH_EVERY = 10;

  private final RlsmOptions options;
  private final SimulatedDirectory survivor;
  private final Expected expected;
  private final Expected afterSecond;
  private final SplittableRandom random;
  private final String where;

  /**
   * A check to be run.
   *
   * @param expected what may be there
   * @param afterSecond what may be there if the power goes in the recovery
   * @param where how to tell which crash this was
   */
  RecoveryCheck(
      RlsmOptions options,
      SimulatedDirectory survivor,
      Expected expected,
      Expected afterSecond,
      long seed,
      String where) {
    this.options = options;
    this.survivor = survivor;
    this.expected = expected;
    this.afterSecond = afterSecond;
    this.random = new SplittableRandom(seed);
    this.where = where;
  }

  /** Runs the check. Returns how many crashes were checked. */
  long run() {
    List<RecoveryCheck> second = new ArrayList<>();
    if (random.nextInt(SECOND_CRASH_EVERY) == 0) {
      crashInRecovery(second);
    }
    try {
      recover();
    } catch (RuntimeException | Error e) {
      throw new AssertionError(where + ": " + e, e);
    }
    long points = 1;
    for (RecoveryCheck check : second) {
      points += check.run();
    }
    return points;
  }

  /** Takes some crashes of the recovery to come. */
  private void crashInRecovery(List<RecoveryCheck> second) {
    survivor.onEvent(event -> {
      if (event.kind().changesState() && second.size() < 2 && random.nextInt(8) == 0) {
        CrashStyle style = CrashStyle.values()[random.nextInt(CrashStyle.values().length)];
        long seed = random.nextLong();
        second.add(new RecoveryCheck(
            options,
            survivor.afterCrash(style, seed),
            afterSecond,
            afterSecond,
            seed,
            where + ", and in the recovery " + event + ", " + style + " " + seed));
      }
    });
  }

  private void recover() {
    int state;
    boolean writes = random.nextInt(3) > 0;
    SimulatedDirectory next = survivor;
    // Else all that was recovered is in tables before anybody can ask for it.
    InlineScheduler scheduler =
        random.nextInt(3) == 0 ? InlineScheduler.held() : new InlineScheduler();
    try (RlsmStore store = open(survivor, scheduler)) {
      survivor.onEvent(event -> {});
      state = expected.find(store);
      check(state >= 0, "none of " + expected);
      store.verify();
      checkGets(store);
      if (writes) {
        store.put(FRESH, FRESH, Durability.SYNC);
      } else {
        store.sync();
      }
      if (random.nextInt(2) == 0) {
        next = survivor.afterCrash(CrashStyle.DROP_UNSYNCED, 1);
      }
      scheduler.letGo();
      if (random.nextInt(4) == 0) {
        store.settle();
      }
    }
    check(survivor.openHandles().isEmpty(), "left open: " + survivor.openHandles());
    if (random.nextInt(2) == 0) {
      recoverAgain(next, state, writes);
    }
  }

  private void recoverAgain(SimulatedDirectory next, int state, boolean wrote) {
    try (RlsmStore store = open(next, new InlineScheduler())) {
      check(
          Arrays.equals(store.get(FRESH), wrote ? FRESH : null),
          "the write after the crash is gone");
      store.delete(FRESH, Durability.OS);
      int found = new Expected(expected.states(), state, state, expected.keyspaces()).find(store);
      check(found == state, "state " + state + " was there after the crash, and is not any more");
      store.verify();
    }
  }

  private RlsmStore open(SimulatedDirectory directory, InlineScheduler scheduler) {
    return RlsmStore.open(directory, options, scheduler.environmentOf(random.nextLong()));
  }

  private void checkGets(RlsmStore store) {
    Map<String, ByteBuffer> found = CrashModel.read(store, Map.of());
    for (Map.Entry<String, ByteBuffer> entry : found.entrySet()) {
      byte[] key = entry.getKey().substring(2).getBytes(UTF_8);
      check(
          Arrays.equals(store.get(key), entry.getValue().array()),
          "get and scan disagree on " + entry.getKey());
    }
  }

  private static void check(boolean right, String problem) {
    if (!right) {
      throw new AssertionError(problem);
    }
  }
}
