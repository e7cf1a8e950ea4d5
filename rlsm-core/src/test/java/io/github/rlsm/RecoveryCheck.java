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
 * Opens the files that a crash left and checks the store. The state must be an expected one, all
 * files must be sound, gets must agree with the scan, and writes must be possible. The recovered
 * content must survive the next end of the process, which is a close or another crash.
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
   * Creates a check.
   *
   * @param expected the possible content
   * @param afterSecond the possible content after a power loss during the recovery
   * @param where identifies the crash in messages
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

  /** Runs the check. Returns the number of checked crashes. */
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

  /** Selects some crashes during the recovery. */
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
    // Without the held scheduler, all recovered entries are in tables before the first read.
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
      scheduler.start();
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
          "the write after the crash is lost");
      store.delete(FRESH, Durability.OS);
      int found = new Expected(expected.states(), state, state, expected.keyspaces()).find(store);
      check(found == state, "state " + state + " was recovered after the crash, but is lost");
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
