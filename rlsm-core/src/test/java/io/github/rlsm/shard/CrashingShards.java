// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.KvStore;

/**
 * What a sharded store stands on in a crash test: its own directory, and the shards.
 *
 * <p>Threads: what crashes leave may be taken from any thread, at any moment.
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

  /** Begins to open a shard, if they do. */
  default PartLogOpening prepare(int shard) {
    throw new UnsupportedOperationException();
  }

  /** Opens shards, whatever their set. */
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
      public PartLogOpening prepare(int set, int shard) {
        return CrashingShards.this.prepare(shard);
      }
    };
  }

  /** Opens all of it as one store of that many shards. */
  default KvStore openWhole(int shards) {
    return ShardedStore.open(
        directory(), shards, opener(), TestShards.SETTINGS, TestShards.environment(1));
  }

  /** Checks all files of what {@link #openWhole} has opened, if that is possible. */
  default void verify(KvStore whole) {}

  /** Calls the observer, in the thread concerned, where a crash would tell something new. */
  void onEvent(Runnable observer);

  /** What is left if the power went now. */
  CrashingShards afterPowerLoss(CrashStyle style, long seed);

  /** What is left if the process died now. */
  CrashingShards afterKill(long seed);

  /** Everything throws from now on. */
  void die();

  /** Checks that nothing was left open. */
  void checkClosed();
}
