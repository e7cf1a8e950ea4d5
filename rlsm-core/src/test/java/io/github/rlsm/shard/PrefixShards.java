// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.KvStore;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Shards that are models of any other engine. */
final class PrefixShards implements CrashingShards {

  private final SimulatedDirectory directory;
  private final List<PrefixStore> stores;
  private Runnable observer = () -> {};

  PrefixShards(int shards) {
    this.directory = new SimulatedDirectory();
    this.stores = new ArrayList<>();
    for (int i = 0; i < shards; i++) {
      stores.add(new PrefixStore());
    }
  }

  private PrefixShards(SimulatedDirectory directory, List<PrefixStore> stores) {
    this.directory = directory;
    this.stores = stores;
  }

  @Override
  public SimulatedDirectory directory() {
    return directory;
  }

  @Override
  public KvStore open(int shard) {
    synchronized (directory) {
      if (stores.get(shard).isClosed()) {
        stores.set(shard, stores.get(shard).openedAgain());
        stores.get(shard).onEvent(observer);
      }
      return stores.get(shard);
    }
  }

  @Override
  public void onEvent(Runnable newObserver) {
    observer = newObserver;
    directory.onEvent(event -> {
      if (event.kind().changesState()) {
        newObserver.run();
      }
    });
    stores.forEach(store -> store.onEvent(newObserver));
  }

  @Override
  public CrashingShards afterPowerLoss(CrashStyle style, long seed) {
    return left(true, style, seed);
  }

  @Override
  public CrashingShards afterKill(long seed) {
    return left(false, CrashStyle.KEEP_UNSYNCED, seed);
  }

  private CrashingShards left(boolean powerLoss, CrashStyle style, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    // No call to the directory runs while its monitor is held. So the copy of the directory
    // contains every call that caused a write in a shard.
    synchronized (directory) {
      List<PrefixStore> left = new ArrayList<>();
      SimulatedDirectory files =
          powerLoss ? directory.afterCrash(style, random.nextLong()) : directory.afterKill();
      stores.forEach(store -> left.add(store.afterCrash(powerLoss, random)));
      return new PrefixShards(files, left);
    }
  }

  @Override
  public void die() {
    stores.forEach(PrefixStore::die);
    directory.kill();
  }

  @Override
  public void checkClosed() {
    if (!directory.openHandles().isEmpty()) {
      throw new AssertionError("left open: " + directory.openHandles());
    }
  }
}
