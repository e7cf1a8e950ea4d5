// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.rlsm.CrashModel.Write;
import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.Snapshot;
import io.github.rlsm.kv.WriteBatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Runs a history on a simulated directory and crashes it at its I/O events and after its steps. The
 * run collects the files that survive a crash while a step runs, and checks them after the step,
 * because both run in one thread.
 */
final class CrashRun {

  /** The number of the opening, before step 0. */
  static final int OPENING = -1;

  private static final int KEYS = 24;
  private static final int HUGE = 20_000;

  /** Selects the crashes of a run. */
  interface Sampler {

    /** Selects no crash. */
    Sampler NONE = new Sampler() {
      @Override
      public List<CrashStyle> styles(SplittableRandom random) {
        return List.of();
      }

      @Override
      public boolean kills(SplittableRandom random) {
        return false;
      }

      @Override
      public boolean tears(SplittableRandom random) {
        return false;
      }
    };

    /** Returns the styles of crashes at this point. Each crash draws a seed from {@code random}. */
    List<CrashStyle> styles(SplittableRandom random);

    /** Whether to kill the process at this point, too. */
    boolean kills(SplittableRandom random);

    /** Whether to kill the process, or cut the power, while the next write stores its record. */
    boolean tears(SplittableRandom random);
  }

  private final RlsmOptions options;
  private final UnaryOperator<StoreDirectory> wrap;
  private final Sampler sampler;
  private final CrashModel model = new CrashModel();
  private final SplittableRandom crashes;
  private final List<RecoveryCheck> pending = new ArrayList<>();
  private final String name;
  private final int crashedFrom;
  private SimulatedDirectory directory;
  private RlsmStore store;
  private InlineScheduler scheduler = new InlineScheduler();
  private @Nullable Snapshot snapshot;
  private int step = OPENING;
  private int lastValue;
  private long points;

  /** The files before the current write, if that write is to be torn. */
  private @Nullable SimulatedDirectory beforeWrite;

  private long eventsBeforeWrite;

  /**
   * Opens a store in an empty directory.
   *
   * @param wrap decorates the directory for the store
   * @param name identifies the run in messages
   */
  CrashRun(
      SimulatedDirectory directory,
      RlsmOptions options,
      UnaryOperator<StoreDirectory> wrap,
      Sampler sampler,
      long seed,
      String name) {
    this(directory, options, wrap, sampler, OPENING, seed, name);
  }

  /**
   * As the other constructor, but crashes only from a given step on.
   *
   * @param crashedFrom the number of this step, or {@link #OPENING}
   */
  CrashRun(
      SimulatedDirectory directory,
      RlsmOptions options,
      UnaryOperator<StoreDirectory> wrap,
      Sampler sampler,
      int crashedFrom,
      long seed,
      String name) {
    this.crashedFrom = crashedFrom;
    this.directory = directory;
    this.options = options;
    this.wrap = wrap;
    this.sampler = sampler;
    this.crashes = new SplittableRandom(seed);
    this.name = name;
    watch();
    store = open();
    checkPending();
  }

  RlsmStore store() {
    return store;
  }

  CrashModel model() {
    return model;
  }

  private RlsmStore open() {
    scheduler = new InlineScheduler();
    return RlsmStore.open(
        wrap.apply(directory), options, scheduler.environmentOf(crashes.nextLong()));
  }

  private void watch() {
    SimulatedDirectory watched = directory;
    watched.onEvent(event -> {
      if (event.kind().changesState()) {
        crash(event.toString());
      }
    });
  }

  private void crash(String event) {
    if (step < crashedFrom) {
      return;
    }
    String where = name + ", step " + step + ", " + event;
    for (CrashStyle style : sampler.styles(crashes)) {
      long seed = crashes.nextLong();
      pending.add(new RecoveryCheck(
          options,
          directory.afterCrash(style, seed),
          model.afterPowerLoss(),
          model.afterPowerLoss(),
          seed,
          where + ", " + style + " " + seed));
    }
    if (sampler.kills(crashes)) {
      pending.add(new RecoveryCheck(
          options,
          directory.afterKill(),
          model.afterKill(),
          model.afterPowerLoss(),
          crashes.nextLong(),
          where + ", killed"));
    }
  }

  private void checkPending() {
    for (RecoveryCheck check : pending) {
      points += check.run();
    }
    pending.clear();
  }

  /** Runs the steps and closes the store. Returns the number of checked crashes. */
  long run(List<CrashStep> steps) {
    for (CrashStep next : steps) {
      step++;
      run(next);
      checkPending();
      crash("returned from " + next.kind());
      checkPending();
    }
    step++;
    close();
    crash("closed");
    checkPending();
    return points;
  }

  /** Closes the store. */
  void close() {
    snapshot = null;
    store.close();
    model.safeFromPowerLoss();
  }

  /** Runs one step. */
  void run(CrashStep next) {
    SplittableRandom random = new SplittableRandom(next.seed());
    switch (next.kind()) {
      case PUT -> put(key(random), random.nextInt(150), random);
      case LARGE_PUT -> put(key(random), largeLength(random), random);
      case HUGE_PUT -> put(key(random), HUGE, random);
      case OVERWRITE -> put(knownKey(random), random.nextInt(400), random);
      case DELETE -> delete(random);
      case BATCH -> batch(random);
      case CONDITIONAL -> conditional(random);
      case CREATE -> create(List.of("a", "b").get(random.nextInt(2)));
      case DROP -> drop(List.of("a", "b").get(random.nextInt(2)));
      case SNAPSHOT -> toggleSnapshot();
      case FLUSH -> {
        store.flush();
        model.safeFromPowerLoss();
      }
      case SETTLE -> {
        store.settle();
        model.safeFromPowerLoss();
      }
      case COLLECT -> {
        store.collect();
        model.safeFromPowerLoss();
      }
      case IDLE -> {
        scheduler.elapse(); // the idle watch notes the end of the log,
        scheduler.elapse(); // and then that no write has moved it
      }
      case SYNC -> {
        store.sync();
        model.safeFromPowerLoss();
      }
      case REOPEN -> {
        close();
        store = open();
      }
      case KILL -> restart(directory.kill(), model.afterKill());
      case POWER_LOSS -> {
        CrashStyle style = CrashStyle.values()[random.nextInt(CrashStyle.values().length)];
        model.losesPower();
        restart(directory.crash(style, random.nextLong()), model.afterPowerLoss());
        model.safeFromPowerLoss();
      }
    }
  }

  private void restart(SimulatedDirectory survivor, CrashModel.Expected expected) {
    snapshot = null;
    directory = survivor;
    watch();
    store = open();
    int state = expected.find(store);
    if (state < 0) {
      throw new AssertionError(name + ", step " + step + ": none of " + expected);
    }
    model.fallBackTo(state);
  }

  private String key(SplittableRandom random) {
    List<Integer> keyspaces = new ArrayList<>(List.of(0));
    keyspaces.addAll(model.keyspaces().values());
    int keyspace = keyspaces.get(random.nextInt(keyspaces.size()));
    return keyspace + "/" + "k".repeat(1 + random.nextInt(3) * 7) + random.nextInt(KEYS / 3);
  }

  private String knownKey(SplittableRandom random) {
    Map<String, ByteBuffer> now = CrashModel.Expected.visible(model.now(), model.keyspaces());
    return now.isEmpty()
        ? key(random)
        : new ArrayList<>(now.keySet()).get(random.nextInt(now.size()));
  }

  /** One in four is written by a system call. */
  private static int largeLength(SplittableRandom random) {
    int more = random.nextInt(4) == 0 ? 4000 : 0;
    return more + 200 + random.nextInt(1500);
  }

  private byte[] value(int length) {
    byte[] value = new byte[length];
    Arrays.fill(value, (byte) ++lastValue);
    for (int i = 0; i < Math.min(4, length); i++) {
      value[i] = (byte) (lastValue >>> (8 * i));
    }
    return value;
  }

  private Keyspace keyspace(String key) {
    int number = Integer.parseInt(key.substring(0, key.indexOf('/')));
    for (Map.Entry<String, Integer> entry : model.keyspaces().entrySet()) {
      if (entry.getValue() == number) {
        return store.keyspace(entry.getKey());
      }
    }
    return store;
  }

  private static byte[] bytes(String key) {
    return key.substring(key.indexOf('/') + 1).getBytes(UTF_8);
  }

  private static Durability durability(SplittableRandom random) {
    return Durability.values()[random.nextInt(Durability.values().length)];
  }

  private void begin(Write write) {
    model.begin(write);
    beforeWrite = sampler.tears(crashes) ? directory.afterKill() : null;
    eventsBeforeWrite = directory.eventCount();
  }

  /**
   * Crashes between the stores of the current write, which is complete but not acknowledged. Skips
   * a write that made a call or was torn by one: the crashes at that call cover it.
   */
  private void crashBetweenStores() {
    SimulatedDirectory before = beforeWrite;
    if (before == null || directory.eventCount() != eventsBeforeWrite || step < crashedFrom) {
      return;
    }
    long seed = crashes.nextLong();
    String where = name + ", step " + step + ", between stores, " + seed;
    SimulatedDirectory torn = directory.afterKillSince(before, seed);
    if (crashes.nextBoolean()) {
      pending.add(new RecoveryCheck(
          options, torn, model.afterKill(), model.afterPowerLoss(), seed, where + ", killed"));
    } else {
      CrashStyle style = CrashStyle.values()[crashes.nextInt(CrashStyle.values().length)];
      pending.add(new RecoveryCheck(
          options,
          torn.afterCrash(style, seed),
          model.afterPowerLoss(),
          model.afterPowerLoss(),
          seed,
          where + ", " + style));
    }
  }

  private void acknowledged(Durability durability) {
    crashBetweenStores();
    switch (durability) {
      case SYNC -> model.safeFromPowerLoss();
      case OS -> model.safeFromKill();
      case BUFFERED -> {
        // A buffered write has no promise.
      }
    }
  }

  private static Write write(String key, byte @Nullable [] value) {
    Map<String, byte @Nullable []> changes = new TreeMap<>();
    changes.put(key, value);
    return new Write(changes);
  }

  private void put(String key, int length, SplittableRandom random) {
    byte[] value = value(length);
    Durability durability = durability(random);
    Keyspace keyspace = keyspace(key);
    begin(write(key, value));
    keyspace.put(bytes(key), value, durability);
    acknowledged(durability);
  }

  private void delete(SplittableRandom random) {
    String key = random.nextInt(4) == 0 ? key(random) : knownKey(random);
    Durability durability = durability(random);
    Keyspace keyspace = keyspace(key);
    begin(write(key, null));
    keyspace.delete(bytes(key), durability);
    acknowledged(durability);
  }

  private void batch(SplittableRandom random) {
    WriteBatch batch = new WriteBatch();
    Map<String, byte @Nullable []> changes = new TreeMap<>();
    int count = random.nextInt(12);
    for (int i = 0; i < count; i++) {
      String key = key(random);
      byte[] value = random.nextInt(4) == 0 ? null : value(random.nextInt(500));
      changes.put(key, value);
      if (value == null) {
        batch.delete(keyspace(key), bytes(key));
      } else {
        batch.put(keyspace(key), bytes(key), value);
      }
    }
    Durability durability = durability(random);
    begin(new Write(changes));
    store.write(batch, durability);
    acknowledged(durability);
  }

  private void conditional(SplittableRandom random) {
    String key = knownKey(random);
    Keyspace keyspace = keyspace(key);
    byte[] value = value(random.nextInt(400));
    Durability durability = durability(random);
    boolean right = random.nextBoolean();
    byte[] expected = right ? keyspace.get(bytes(key)) : value;
    if (right) {
      begin(write(key, value));
    }
    if (keyspace.compareAndSet(bytes(key), expected, value, durability) != right) {
      throw new AssertionError(name + ", step " + step + ": wrong result of a conditional write");
    }
    if (right) {
      acknowledged(durability);
    }
  }

  private void create(String keyspace) {
    model.beginCreate(keyspace);
    store.keyspace(keyspace);
    model.endKeyspaces();
  }

  private void drop(String keyspace) {
    if (model.keyspaces().containsKey(keyspace)) {
      model.beginDrop(keyspace);
      store.dropKeyspace(keyspace);
      model.endKeyspaces();
    }
  }

  private void toggleSnapshot() {
    Snapshot open = snapshot;
    if (open == null) {
      snapshot = store.snapshot();
    } else {
      open.close();
      snapshot = null;
    }
  }
}
