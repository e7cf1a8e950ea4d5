// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.base.PartTail;
import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.shard.CrashingShards;
import io.github.rlsm.shard.parts.PartLog;
import io.github.rlsm.thread.Environment;
import io.github.rlsm.thread.ThreadScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Shards of the engine, each in a separate simulated directory. The last directory belongs to the
 * store itself.
 */
final class EngineShards implements CrashingShards {

  /**
   * Gives each opening other salts, because a reused segment may still hold records of an earlier
   * opening.
   */
  private static final AtomicLong OPENED = new AtomicLong();

  /** A bug: a part of the protocol for cross-shard batches is left out. */
  enum Bug {
    /** No bug. */
    NONE,
    /** A promise, or a flush, does not wait for the other shards' parts. */
    PROMISES_ALONE,
    /** Recovery ignores the parts that are already in tables. */
    FORGETS_TABLES,
    /** Recovery keeps incomplete batches. */
    LEAVES_NOTHING_OUT
  }

  private final RlsmOptions options;
  private final boolean keepsParts;
  private final Bug bug;
  private final List<SimulatedDirectory> directories;
  private LongFunction<Environment> environments = InlineScheduler::environment;

  /**
   * Creates empty shards.
   *
   * @param keepsParts whether the engines' own logs hold the parts of cross-shard batches;
   *     otherwise batches are redone from the store's log, as over any other engine
   */
  EngineShards(TinyOptions options, int shards, boolean keepsParts) {
    this(options, shards, keepsParts, Bug.NONE);
  }

  /** Creates empty shards that are opened with a bug. */
  EngineShards(TinyOptions options, int shards, boolean keepsParts, Bug bug) {
    this(options.options(), keepsParts, bug, directories(shards, options::directory));
  }

  /** Creates empty shards with logs in files. */
  EngineShards(RlsmOptions options, int shards, boolean keepsParts) {
    this(options, keepsParts, Bug.NONE, directories(shards, SimulatedDirectory::new));
  }

  /** Creates empty shards in directories from a supplier. */
  static EngineShards empty(
      RlsmOptions options, int shards, boolean keepsParts, Supplier<SimulatedDirectory> empty) {
    return new EngineShards(options, keepsParts, Bug.NONE, directories(shards, empty));
  }

  private static List<SimulatedDirectory> directories(
      int shards, Supplier<SimulatedDirectory> empty) {
    return Stream.generate(empty).limit(shards + 1L).toList();
  }

  private EngineShards(
      RlsmOptions options, boolean keepsParts, Bug bug, List<SimulatedDirectory> directories) {
    this.options = options;
    this.keepsParts = keepsParts;
    this.bug = bug;
    this.directories = directories;
  }

  @Override
  public SimulatedDirectory directory() {
    return directories.get(directories.size() - 1);
  }

  @Override
  public KvStore open(int shard) {
    return RlsmStore.open(
        directories.get(shard), options, environments.apply(OPENED.incrementAndGet()));
  }

  @Override
  public boolean keepsParts() {
    return keepsParts;
  }

  @Override
  public PartLog.Opening prepare(int shard) {
    PartLog.Opening sound = RlsmPartLog.prepare(
        directories.get(shard), options, environments.apply(OPENED.incrementAndGet()));
    return bug == Bug.NONE ? sound : new ForgetfulOpening(sound, bug);
  }

  /** Opens a shard with a bug. */
  private record ForgetfulOpening(PartLog.Opening sound, Bug bug) implements PartLog.Opening {

    @Override
    public PartTail survey() {
      PartTail tail = sound.survey();
      return bug == Bug.FORGETS_TABLES ? new PartTail(0, tail.parts()) : tail;
    }

    @Override
    public Opened open(long end, LongConsumer dependencies) {
      return switch (bug) {
        case PROMISES_ALONE -> sound.open(end, gsn -> {});
        // A batch that recovery should have left out is never completed, so no thread may wait for
        // it.
        case LEAVES_NOTHING_OUT -> sound.open(WHOLE, gsn -> {});
        case FORGETS_TABLES, NONE -> sound.open(end, dependencies);
      };
    }

    @Override
    public void close() {
      sound.close();
    }
  }

  /** Opens shards with background threads from now on. */
  EngineShards withThreads() {
    environments = seed -> new Environment(
        System::nanoTime, new SplittableRandom(seed), new ThreadScheduler("shard", 1));
    return this;
  }

  /** The directory of one shard. */
  SimulatedDirectory shard(int shard) {
    return directories.get(shard);
  }

  /** Returns shards on the same files that are opened like shards of any other engine. */
  EngineShards withRedo() {
    return new EngineShards(options, false, bug, directories);
  }

  /** Returns shards on the same files that are opened with other options. */
  EngineShards withOptions(RlsmOptions other) {
    EngineShards shards = new EngineShards(other, keepsParts, bug, directories);
    shards.environments = environments;
    return shards;
  }

  /** The number of tables in a shard. */
  long tables(int shard) {
    return directories.get(shard).list().stream()
        .filter(name -> name.endsWith(".tbl"))
        .count();
  }

  /**
   * Returns the files that survive a power loss now, with a separate crash style for each shard.
   */
  EngineShards afterPowerLoss(IntFunction<CrashStyle> style) {
    List<SimulatedDirectory> left = new ArrayList<>();
    for (int i = 0; i < directories.size(); i++) {
      left.add(directories.get(i).afterCrash(style.apply(i), 1));
    }
    return new EngineShards(options, keepsParts, bug, left);
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
  public EngineShards afterPowerLoss(CrashStyle style, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return atOnce(0, directory -> directory.afterCrash(style, random.nextLong()));
  }

  @Override
  public EngineShards afterKill(long seed) {
    return atOnce(0, SimulatedDirectory::afterKill);
  }

  /** Copies all directories at one moment: while all monitors are held, no call can change them. */
  private EngineShards atOnce(int held, UnaryOperator<SimulatedDirectory> left) {
    if (held < directories.size()) {
      synchronized (directories.get(held)) {
        return atOnce(held + 1, left);
      }
    }
    return new EngineShards(
        options, keepsParts, bug, new ArrayList<>(directories.stream().map(left).toList()));
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
