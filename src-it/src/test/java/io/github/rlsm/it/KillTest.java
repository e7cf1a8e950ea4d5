// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import io.github.rlsm.it.KillRuns.Place;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * T7 of the test plan. Processes die at random times, and no acknowledged write is lost. The state
 * is a gap-free prefix of the operations of each thread. It has at most one operation that was not
 * acknowledged, and batches are complete.
 *
 * <p>The system property {@code rlsm.t7.kills} sets the number of kills. The other tests here and
 * in {@link DeviceKillTest} take a share of it. The full run counts the kills of all tests. A
 * failed test keeps its directory.
 */
class KillTest {

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path temporary;

  /** Kills by SIGKILL: mostly after some operations, sometimes while the store is opening. */
  @Test
  void killedProcessesLoseNothing() throws Exception {
    new KillRuns(temporary, Place.ONE_STORE, false).run("kills", 100);
  }

  /** Halts at a file-changing call, in recovery, a flush, a compaction or a switch. */
  @Test
  void processesHaltedAtFileOperationLoseNothing() throws Exception {
    new KillRuns(temporary, Place.ONE_STORE, false).halting().run("kills at a file operation", 40);
  }

  /** Kills a store with shards and cross-shard batches. */
  @Test
  void killedProcessesLoseNothingOfShards() throws Exception {
    new KillRuns(temporary, Place.SHARDS, false).run("kills of a store of shards", 24);
  }

  /** Discards unforced bytes of the log after a kill: forced writes survive. */
  @Test
  void forcedWritesSurviveTheLossOfUnforcedBytes() throws Exception {
    new KillRuns(temporary, Place.ONE_STORE, true).run("kills with loss of unforced bytes", 24);
  }
}
