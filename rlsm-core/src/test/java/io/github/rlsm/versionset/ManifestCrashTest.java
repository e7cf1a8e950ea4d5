// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.Fault;
import io.github.rlsm.io.IoEvent;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.KvException;
import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.kv.TestSeed;
import io.github.rlsm.version.Version;
import io.github.rlsm.version.VersionEdit;
import io.github.rlsm.versionset.FakeHost.FakeTable;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Power loss and failing calls at every I/O event of a history of installs and rolls.
 *
 * <p>Guards invariant I-5 of ARCHITECTURE.md.
 */
class ManifestCrashTest {

  private static final int INSTALLS = 60;
  private static final int INSTALLS_FAULTY = 25;

  private final long seed = TestSeed.get();

  /**
   * The recovered manifest after a crash, and the number of installs that had returned before it.
   */
  private record Crash(ManifestRecovery.Recovered recovered, int returned, String when) {}

  @ParameterizedTest
  @EnumSource(CrashStyle.class)
  void aCrashLeavesTheLastInstallThatReturnedOrTheOneThatRan(CrashStyle style) {
    SimulatedDirectory directory = new SimulatedDirectory();
    InstallWorkload workload = new InstallWorkload(directory, seed, INSTALLS);
    List<Crash> crashes = new ArrayList<>();
    directory.onEvent(event -> {
      if (event.kind().changesState()) {
        long draw = seed + 2 * event.index() + (event.isBefore() ? 0 : 1);
        SimulatedDirectory left = directory.afterCrash(style, draw);
        crashes.add(recover(left, workload.count(), when(event)));
      }
    });
    workload.run();
    assertThat(crashes).hasSizeGreaterThan(4 * INSTALLS);
    crashes.forEach(crash -> workload.check(crash.recovered(), crash.returned(), crash.when()));
  }

  @Test
  void aCrashWhileOpeningAfterACrashLosesNothing() {
    SimulatedDirectory directory = new SimulatedDirectory();
    InstallWorkload workload = new InstallWorkload(directory, seed, INSTALLS);
    directory.onEvent(event -> {
      if (event.kind().changesState() && event.index() % 7 == 0) {
        crashTwice(directory.afterCrash(CrashStyle.TORN_SECTORS, seed + event.index()));
      }
    });
    workload.run();
  }

  private void crashTwice(SimulatedDirectory left) {
    Version first = InstallWorkload.plain(ManifestRecovery.recover(left).version());
    left.onEvent(event -> {
      SimulatedDirectory again = left.afterCrash(CrashStyle.TORN_SECTORS, seed + event.index());
      assertThat(InstallWorkload.plain(ManifestRecovery.recover(again).version()))
          .as(when(event))
          .isEqualTo(first);
    });
    InstallWorkload.open(left, new FakeHost()).close();
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"NO_SPACE", "IO_ERROR", "IO_ERROR_AFTER"})
  void failingCallPoisonsTheSetAndLosesNothing(Fault fault) {
    SimulatedDirectory healthy = new SimulatedDirectory();
    InstallWorkload whole = new InstallWorkload(healthy, seed, INSTALLS_FAULTY);
    whole.run();
    for (long call = 0; call < healthy.eventCount(); call++) {
      failAt(call, fault, false);
      failAt(call, fault, true);
    }
  }

  private void failAt(long call, Fault fault, boolean forever) {
    String when = fault + " at call " + call + ", " + TestSeed.howToReplay(seed);
    SimulatedDirectory directory = new SimulatedDirectory();
    InstallWorkload workload = new InstallWorkload(directory, seed, INSTALLS_FAULTY);
    directory.failAt(call, fault, forever);
    try {
      workload.run();
    } catch (StoreIoException e) {
      assertThat(directory.hasFailed()).as(when).isTrue();
    }
    directory.mend();
    assertThat(directory.openHandles()).as(when).isEmpty();
    for (SimulatedDirectory left :
        List.of(directory.afterKill(), directory.afterCrash(CrashStyle.DROP_UNSYNCED, seed))) {
      workload.checkOwn(ManifestRecovery.recover(left), when);
      try (VersionSet<FakeTable> set = InstallWorkload.open(left, new FakeHost())) {
        set.install(VersionEdit.builder().setOption("writable", "again").build());
      }
    }
  }

  private Crash recover(SimulatedDirectory left, int returned, String when) {
    try {
      return new Crash(ManifestRecovery.recover(left), returned, when);
    } catch (KvException e) {
      throw new AssertionError(when, e);
    }
  }

  private String when(IoEvent event) {
    return event + ", " + TestSeed.howToReplay(seed);
  }
}
