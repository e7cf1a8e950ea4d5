// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.shard.admin.ShardOpener;
import io.github.rlsm.shard.parts.PartLog;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/**
 * Sets of engine shards, each shard in a simulated directory, and the store's own directory.
 *
 * <p>Threads: one at a time, except for the threads of the engines.
 */
final class ReshardWorld implements ShardOpener {

  /**
   * Gives each opening other salts, because a reused segment may still hold records of an earlier
   * opening.
   */
  private static final AtomicLong OPENED = new AtomicLong();

  private final SimulatedDirectory own;
  private final SortedMap<String, SimulatedDirectory> shards;
  private Runnable observer = () -> {};

  ReshardWorld() {
    this(new SimulatedDirectory(), new TreeMap<>());
  }

  private ReshardWorld(SimulatedDirectory own, SortedMap<String, SimulatedDirectory> shards) {
    this.own = own;
    this.shards = shards;
  }

  SimulatedDirectory own() {
    return own;
  }

  /** The existing shards, as {@code set/number}. */
  List<String> shards() {
    return List.copyOf(shards.keySet());
  }

  /** Calls the observer at each point where a crash would have a new outcome. */
  void onEvent(Runnable watch) {
    observer = watch;
    watch(own);
    shards.values().forEach(this::watch);
  }

  private void watch(SimulatedDirectory directory) {
    directory.onEvent(event -> {
      if (event.kind().changesState()) {
        observer.run();
      }
    });
  }

  @Override
  public synchronized KvStore open(int set, int shard) {
    return RlsmStore.open(
        directory(set, shard),
        TinyOptions.LINKING.options(),
        new InlineScheduler().environmentOf(OPENED.incrementAndGet()));
  }

  @Override
  public boolean keepsParts() {
    return true;
  }

  @Override
  public synchronized PartLog.Opening prepare(int set, int shard) {
    return RlsmPartLog.prepare(
        directory(set, shard),
        TinyOptions.LINKING.options(),
        new InlineScheduler().environmentOf(OPENED.incrementAndGet()));
  }

  private SimulatedDirectory directory(int set, int shard) {
    return shards.computeIfAbsent(set + "/" + shard, missing -> {
      SimulatedDirectory made = new SimulatedDirectory();
      watch(made);
      return made;
    });
  }

  @Override
  public synchronized KvStore openWhole(StoreDirectory directory) {
    return RlsmStore.open(
        directory,
        TinyOptions.LINKING.options(),
        new InlineScheduler().environmentOf(OPENED.incrementAndGet()));
  }

  /** Opens the store without shards as {@link RlsmStore#open} does. */
  KvStore openWhole() {
    KvStore store = openWhole(own);
    own.syncDirectory();
    keepOnly(0);
    return store;
  }

  @Override
  public synchronized void keepOnly(int set) {
    for (String name : shards()) {
      if (!name.startsWith(set + "/")) {
        SimulatedDirectory directory = shards.get(name);
        directory.list().forEach(directory::delete);
        shards.remove(name);
      }
    }
  }

  /** Returns the files of all directories that survive a crash at this moment. */
  synchronized ReshardWorld left(UnaryOperator<SimulatedDirectory> crash) {
    SortedMap<String, SimulatedDirectory> left = new TreeMap<>();
    shards.forEach((name, directory) -> left.put(name, crash.apply(directory)));
    return new ReshardWorld(crash.apply(own), left);
  }

  /** Checks that no handle is open. */
  void checkClosed() {
    left(directory -> {
      if (!directory.openHandles().isEmpty()) {
        throw new AssertionError("left open: " + directory.openHandles());
      }
      return directory;
    });
  }
}
