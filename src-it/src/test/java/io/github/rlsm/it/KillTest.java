// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import io.github.rlsm.it.KillRuns.Place;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * T7 of the test plan. Processes die at any moment, and no acknowledged write is lost. The state is
 * a gap-free prefix of the operations of each thread. It has at most one operation that was not
 * acknowledged, and batches are whole.
 *
 * <p>The system property {@code rlsm.t7.kills} sets the number of kills. The other tests here and
 * in {@link DeviceKillTest} take a share of it. A failed test keeps its temporary directory.
 */
class KillTest {

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path temporary;

  /** By SIGKILL: most after some operations, some while the store is being opened. */
  @Test
  void killedProcessesLoseNothing() throws Exception {
    new KillRuns(temporary, Place.ONE_STORE, false).run("kills", 100);
  }

  /** At a call that changes files: in recovery, or later in a flush, a compaction or a switch. */
  @Test
  void processesThatDieAtAFileOperationLoseNothing() throws Exception {
    new KillRuns(temporary, Place.ONE_STORE, false).halting().run("kills at a file operation", 40);
  }

  /** As the others, a store of several shards, with batches over them. */
  @Test
  void killedProcessesLoseNothingOfShards() throws Exception {
    new KillRuns(temporary, Place.SHARDS, false).run("kills of a store of shards", 24);
  }

  /** Bytes of the log that were never forced are discarded: forced writes survive that. */
  @Test
  void forcedWritesSurviveTheLossOfUnforcedBytes() throws Exception {
    new KillRuns(temporary, Place.ONE_STORE, true).run("kills with loss of unforced bytes", 24);
  }
}
