// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.Durability;
import org.junit.jupiter.api.Test;

/** A store that gets its first log device at the opening after the death of its process. */
class LateLogDeviceTest {

  private static final int PUTS = 100;
  private static final byte[] EARLY = "early".getBytes(UTF_8);

  private static byte[] key(int i) {
    return ("late " + i).getBytes(UTF_8);
  }

  /** The dead process forced nothing, not even the lengths of its files. */
  @Test
  void powerLossLosesNoAcknowledgedWrite() {
    SimulatedDirectory first = TinyOptions.DIRECT.directory();
    RlsmStore.open(first, TinyOptions.ROOMY.options(), InlineScheduler.environment(1))
        .put(EARLY, EARLY, Durability.OS);

    SimulatedDirectory second = first.kill();
    RlsmStore store = RlsmStore.open(
        second, TinyOptions.DIRECT.options(), InlineScheduler.held().environmentOf(2));
    for (int i = 0; i < PUTS; i++) {
      store.put(key(i), EARLY, Durability.SYNC);
      check(second.afterCrash(CrashStyle.DROP_UNSYNCED, 1), i);
    }
  }

  private static void check(SimulatedDirectory rest, int last) {
    try (RlsmStore store =
        RlsmStore.open(rest, TinyOptions.DIRECT.options(), InlineScheduler.environment(3))) {
      assertThat(store.get(EARLY)).isEqualTo(EARLY);
      for (int i = 0; i <= last; i++) {
        assertThat(store.get(key(i))).as("put %s", i).isEqualTo(EARLY);
      }
      store.verify();
    }
  }
}
