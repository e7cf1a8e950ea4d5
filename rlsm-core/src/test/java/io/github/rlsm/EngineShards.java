// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.base.PartTail;
import io.github.rlsm.engine.Environment;
import io.github.rlsm.engine.ThreadScheduler;
import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.shard.CrashingShards;
import io.github.rlsm.shard.PartLogOpening;
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

/** Shards of the engine, each in a simulated directory of its own; the last is the store's. */
final class EngineShards implements CrashingShards {

  /**
   * Every life of a store draws other salts: a segment that is used again may hold an old one's.
   */
  private static final AtomicLong OPENED = new AtomicLong();

  /** Something that the way to keep parts must not forget. */
  enum Bug {
    /** Nothing is forgotten. */
    NONE,
    /** A promise, or a flush, does not see to the others' parts. */
    PROMISES_ALONE,
    /** What is in tables is not known to be there. */
    FORGETS_TABLES,
    /** What is there in part is not left out. */
    LEAVES_NOTHING_OUT
  }

  private final RlsmOptions options;
  private final boolean keepsParts;
  private final Bug bug;
  private final List<SimulatedDirectory> directories;
  private LongFunction<Environment> environments = InlineScheduler::environment;

  /**
   * Empty shards.
   *
   * @param keepsParts whether batches over several are kept by the engines' own logs, or redone as
   *     over any other engine
   */
  EngineShards(TinyOptions options, int shards, boolean keepsParts) {
    this(options, shards, keepsParts, Bug.NONE);
  }

  /** Empty shards, opened by somebody who forgets something. */
  EngineShards(TinyOptions options, int shards, boolean keepsParts, Bug bug) {
    this(options.options(), keepsParts, bug, directories(shards, options::directory));
  }

  /** Empty shards with logs in files. */
  EngineShards(RlsmOptions options, int shards, boolean keepsParts) {
    this(options, keepsParts, Bug.NONE, directories(shards, SimulatedDirectory::new));
  }

  /** Empty shards in directories that a supplier makes. */
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
  public PartLogOpening prepare(int shard) {
    PartLogOpening sound = RlsmPartLog.prepare(
        directories.get(shard), options, environments.apply(OPENED.incrementAndGet()));
    return bug == Bug.NONE ? sound : new ForgetfulOpening(sound, bug);
  }

  /** An opening with a bug. */
  private record ForgetfulOpening(PartLogOpening sound, Bug bug) implements PartLogOpening {

    @Override
    public PartTail survey() {
      PartTail tail = sound.survey();
      return bug == Bug.FORGETS_TABLES ? new PartTail(0, tail.parts()) : tail;
    }

    @Override
    public Opened open(long end, LongConsumer companions) {
      return switch (bug) {
        case PROMISES_ALONE -> sound.open(end, gsn -> {});
        // What should have been left out is never completed, so nobody may wait for it.
        case LEAVES_NOTHING_OUT -> sound.open(WHOLE, gsn -> {});
        case FORGETS_TABLES, NONE -> sound.open(end, companions);
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

  /** One shard's directory. */
  SimulatedDirectory shard(int shard) {
    return directories.get(shard);
  }

  /** The same files, opened as shards of any kind. */
  EngineShards withRedo() {
    return new EngineShards(options, false, bug, directories);
  }

  /** The same files, opened with other options. */
  EngineShards withOptions(RlsmOptions other) {
    EngineShards shards = new EngineShards(other, keepsParts, bug, directories);
    shards.environments = environments;
    return shards;
  }

  /** How many tables a shard has. */
  long tables(int shard) {
    return directories.get(shard).list().stream()
        .filter(name -> name.endsWith(".tbl"))
        .count();
  }

  /** What is left if the power went now, of each shard in its own style. */
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

  /** Takes all directories at one moment: with all monitors held, none can be changed by a call. */
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
