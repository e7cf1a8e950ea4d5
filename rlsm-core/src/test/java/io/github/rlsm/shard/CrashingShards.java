// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.shard.admin.ShardOpener;
import io.github.rlsm.shard.admin.ShardOpening;
import io.github.rlsm.shard.parts.PartLog;

/**
 * The files under a sharded store in a crash test: its own directory, and the shards.
 *
 * <p>Threads: any thread may take the survivors of a crash, at any moment.
 */
public interface CrashingShards {

  /** The directory of the sharded store itself. */
  SimulatedDirectory directory();

  /** Opens a shard. */
  KvStore open(int shard);

  /** Whether the shards' logs keep parts of batches. */
  default boolean keepsParts() {
    return false;
  }

  /** Begins to open a shard. Supported only if the logs keep parts. */
  default PartLog.Opening prepare(int shard) {
    throw new UnsupportedOperationException();
  }

  /** Returns an opener for shards of any set. */
  default ShardOpener opener() {
    return new ShardOpener() {
      @Override
      public KvStore open(int set, int shard) {
        return CrashingShards.this.open(shard);
      }

      @Override
      public boolean keepsParts() {
        return CrashingShards.this.keepsParts();
      }

      @Override
      public PartLog.Opening prepare(int set, int shard) {
        return CrashingShards.this.prepare(shard);
      }
    };
  }

  /** Opens everything as one store of that many shards. */
  default KvStore openWhole(int shards) {
    return ShardOpening.open(
        directory(), shards, opener(), TestShards.SETTINGS, TestShards.environment(1));
  }

  /** Verifies all files of a store that {@link #openWhole} has opened, if possible. */
  default void verify(KvStore whole) {}

  /**
   * Calls the observer, in the thread of the event, at each point where a crash would have a new
   * outcome.
   */
  void onEvent(Runnable observer);

  /** Returns the files that survive a power loss now. */
  CrashingShards afterPowerLoss(CrashStyle style, long seed);

  /** Returns the files that survive the death of the process now. */
  CrashingShards afterKill(long seed);

  /** Makes all further calls throw. */
  void die();

  /** Checks that no handle is open. */
  void checkClosed();
}
