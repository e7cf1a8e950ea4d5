// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.KvException;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.StoreFactory;
import io.github.rlsm.thread.Environment;
import io.github.rlsm.thread.ThreadScheduler;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Opens a store in a simulated directory. Without threads, a history replays exactly. */
final class SimulatedStores implements StoreFactory {

  private final boolean threads;
  private final @Nullable TinyOptions always;
  private final LevelWatch watch = new LevelWatch();
  private InlineScheduler scheduler = new InlineScheduler();
  private SimulatedDirectory files = new SimulatedDirectory();
  private Path opened = Path.of("");
  private long clock;

  /** Draws new options for each opening. */
  SimulatedStores(boolean threads) {
    this.threads = threads;
    this.always = null;
  }

  /** Uses the same options for each opening, and counts changes of the levels. */
  SimulatedStores(TinyOptions always) {
    this.threads = false;
    this.always = always;
  }

  /** The changes of the levels, if the options are always the same. */
  LevelWatch watch() {
    return watch;
  }

  @Override
  public KvStore open(Path path) {
    return open(path, opening(0));
  }

  @Override
  public String opening(long seed) {
    return DrawnStore.draw(seed).toString();
  }

  @Override
  public KvStore open(Path path, String opening) {
    DrawnStore drawn = DrawnStore.parse(opening);
    if (!opened.equals(path)) {
      opened = path;
      files = always == null ? drawn.directory() : always.directory();
    }
    return open(drawn);
  }

  private KvStore open(DrawnStore drawn) {
    if (always != null) {
      watch.watch(files);
    }
    RlsmOptions options = always == null ? drawn.options() : always.options();
    return RlsmStore.open(files, options, environment(drawn));
  }

  private Environment environment(DrawnStore drawn) {
    SplittableRandom random = new SplittableRandom(drawn.seed());
    if (threads) {
      return new Environment(System::nanoTime, random, new ThreadScheduler("model", 1));
    }
    scheduler = new InlineScheduler();
    return new Environment(() -> clock += drawn.nanosPerCall(), random, scheduler);
  }

  @Override
  public KvStore crash(Path path, KvStore store, Crash crash, String opening) {
    DrawnStore drawn = DrawnStore.parse(opening);
    files = crash == Crash.KILL ? files.kill() : files.crash(drawn.style(), drawn.seed());
    if (threads) {
      endThreads(store);
    }
    return open(drawn);
  }

  private static void endThreads(KvStore dead) {
    try {
      dead.close();
    } catch (KvException e) {
      // The directory of a dead process does nothing.
    }
  }

  /** Lets time pass without writes. */
  void idle() {
    scheduler.elapse();
    scheduler.elapse();
  }

  @Override
  public void checkClosed(Path path) {
    assertThat(files.openHandles()).isEmpty();
  }
}
