// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.shard.CrashingShards;
import io.github.rlsm.thread.Environment;
import io.github.rlsm.thread.ThreadScheduler;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/** One engine without shards, for crash tests whose clients all write to the same log. */
final class OneEngine implements CrashingShards {

  /** Gives each opening other salts. */
  private static final AtomicLong OPENED = new AtomicLong();

  private final TinyOptions options;
  private final SimulatedDirectory directory;
  private final LongFunction<Environment> environments;

  /** Creates an empty directory and an engine with background threads. */
  OneEngine(TinyOptions options) {
    this(options, options.directory(), OneEngine::withThreads);
  }

  private OneEngine(
      TinyOptions options, SimulatedDirectory directory, LongFunction<Environment> environments) {
    this.options = options;
    this.directory = directory;
    this.environments = environments;
  }

  private static Environment withThreads(long seed) {
    return new Environment(
        System::nanoTime, new SplittableRandom(seed), new ThreadScheduler("engine", 1));
  }

  /** Creates an engine on the files that a crash left, without background threads. */
  private OneEngine survivor(SimulatedDirectory left) {
    return new OneEngine(options, left, InlineScheduler::environment);
  }

  @Override
  public SimulatedDirectory directory() {
    return directory;
  }

  @Override
  public KvStore open(int shard) {
    return RlsmStore.open(
        directory, options.options(), environments.apply(OPENED.incrementAndGet()));
  }

  @Override
  public KvStore openWhole(int shards) {
    return open(0);
  }

  @Override
  public void verify(KvStore whole) {
    ((RlsmStore) whole).verify();
  }

  @Override
  public void onEvent(Runnable observer) {
    directory.onEvent(event -> {
      if (event.kind().changesState()) {
        observer.run();
      }
    });
  }

  @Override
  public OneEngine afterPowerLoss(CrashStyle style, long seed) {
    return survivor(directory.afterCrash(style, seed));
  }

  @Override
  public OneEngine afterKill(long seed) {
    return survivor(directory.afterKill());
  }

  @Override
  public void die() {
    directory.kill();
  }

  @Override
  public void checkClosed() {
    if (!directory.openHandles().isEmpty()) {
      throw new AssertionError("left open: " + directory.openHandles());
    }
  }
}
