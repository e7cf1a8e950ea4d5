// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.shard.CrashingShards;
import io.github.rlsm.shard.PartLogOpening;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/** Shards of the engine, each in a simulated directory of its own; the last is the store's. */
final class EngineShards implements CrashingShards {

  /**
   * Every life of a store draws other salts: a segment that is used again may hold an old one's.
   */
  private static final AtomicLong OPENED = new AtomicLong();

  private final RlsmOptions options;
  private final boolean keepsParts;
  private final List<SimulatedDirectory> directories;

  /**
   * Empty shards.
   *
   * @param keepsParts whether batches over several are kept by the engines' own logs, or redone as
   *     over any other engine
   */
  EngineShards(TinyOptions options, int shards, boolean keepsParts) {
    this.options = options.options();
    this.keepsParts = keepsParts;
    this.directories = new ArrayList<>();
    for (int i = 0; i <= shards; i++) {
      directories.add(options.directory());
    }
  }

  private EngineShards(
      RlsmOptions options, boolean keepsParts, List<SimulatedDirectory> directories) {
    this.options = options;
    this.keepsParts = keepsParts;
    this.directories = directories;
  }

  @Override
  public SimulatedDirectory directory() {
    return directories.get(directories.size() - 1);
  }

  @Override
  public KvStore open(int shard) {
    return RlsmStore.open(
        directories.get(shard),
        options,
        new InlineScheduler().environmentOf(OPENED.incrementAndGet()));
  }

  @Override
  public boolean keepsParts() {
    return keepsParts;
  }

  @Override
  public PartLogOpening prepare(int shard) {
    return RlsmPartLog.prepare(
        directories.get(shard),
        options,
        new InlineScheduler().environmentOf(OPENED.incrementAndGet()));
  }

  @Override
  public void onEvent(Runnable observer) {
    directories.forEach(directory -> directory.onEvent(event -> {
      if (event.kind().changesState()) {
        observer.run();
      }
    }));
  }

  @Override
  public CrashingShards afterPowerLoss(CrashStyle style, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return atOnce(0, directory -> directory.afterCrash(style, random.nextLong()));
  }

  @Override
  public CrashingShards afterKill(long seed) {
    return atOnce(0, SimulatedDirectory::afterKill);
  }

  /** Takes all directories at one moment: with all monitors held, none can be changed by a call. */
  private EngineShards atOnce(int held, UnaryOperator<SimulatedDirectory> left) {
    if (held < directories.size()) {
      synchronized (directories.get(held)) {
        return atOnce(held + 1, left);
      }
    }
    return new EngineShards(
        options, keepsParts, new ArrayList<>(directories.stream().map(left).toList()));
  }

  @Override
  public void die() {
    directories.forEach(SimulatedDirectory::kill);
  }

  @Override
  public void checkClosed() {
    directories.forEach(directory -> {
      if (!directory.openHandles().isEmpty()) {
        throw new AssertionError("left open: " + directory.openHandles());
      }
    });
  }
}
