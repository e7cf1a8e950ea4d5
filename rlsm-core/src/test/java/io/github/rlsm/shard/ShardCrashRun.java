// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvException;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.KvReader;
import io.github.rlsm.kv.WriteBatch;
import io.github.rlsm.shard.ShardHistory.Expected;
import io.github.rlsm.shard.admin.ShardOpening;
import io.github.rlsm.shard.worker.ShardRouter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Runs a random history on a sharded store and crashes it at its I/O events. The history depends on
 * the seed alone. The selection of crashes may differ between runs, because workers run in threads.
 */
public final class ShardCrashRun {

  /** The limit on attempts to draw a key of one shard: with few keys, a shard may have only one. */
  private static final int KEY_TRIES = 1_000;

  private static final int KEYS = 20;
  private static final int SECOND_CRASH_EVERY = 10;

  /** The operation of a step. */
  public enum Kind {
    /** A put. */
    PUT(20),
    /** A put of a value that is large enough for the value log. */
    LARGE_PUT(5),
    /** A put of a key that was written before. */
    OVERWRITE(5),
    /** A put, a delete or a conditional write, outside of any batch. */
    SINGLE(10),
    /** A delete. */
    DELETE(2),
    /** A batch in one shard. */
    BATCH(5),
    /** A batch over several shards, if there are several. */
    CROSS_SHARD_BATCH(28),
    /** A sync. */
    SYNC(6),
    /** A flush, and the compactions that follow. */
    FLUSH(3),
    /** Creates a keyspace. */
    CREATE(4),
    /** Drops the keyspace. */
    DROP(3),
    /** Closes the store and opens it again. */
    REOPEN(3),
    /** Kills the process and opens the store again. */
    KILL(3),
    /** Cuts the power and opens the store again. */
    POWER_LOSS(3);

    private final int weight;

    Kind(int weight) {
      this.weight = weight;
    }

    /** Returns a random kind. */
    static Kind random(SplittableRandom random) {
      int draw =
          random.nextInt(Arrays.stream(values()).mapToInt(kind -> kind.weight).sum());
      int at = 0;
      while (draw >= values()[at].weight) {
        draw -= values()[at].weight;
        at++;
      }
      return values()[at];
    }
  }

  /** A crash whose survivor is not checked yet. */
  private record Crash(
      CrashingShards survivor, Expected expected, Expected afterSecond, String where) {}

  private final int shards;
  private final int crashEvery;
  private final SplittableRandom random;
  private final SplittableRandom crashes;
  private final ShardHistory history;
  private final List<Crash> pending = new ArrayList<>();
  private final String name;
  private CrashingShards world;
  private ShardedStore store;
  private String step = "opening";
  private boolean spared;
  private String lastKey = "0/key0";
  private int lastValue;
  private long points;

  /**
   * Opens a store.
   *
   * @param crashEvery takes one in this many crashes, at random
   * @param name identifies the run in messages
   */
  @SuppressWarnings("this-escape") // The observer does nothing before the opening.
  public ShardCrashRun(CrashingShards world, int shards, int crashEvery, long seed, String name) {
    this.shards = shards;
    this.crashEvery = crashEvery;
    this.random = new SplittableRandom(seed);
    this.crashes = random.split();
    this.history = new ShardHistory(new ShardRouter(shards));
    this.world = world;
    this.name = name;
    world.onEvent(this::crash);
    this.store = open(world);
  }

  private ShardedStore open(CrashingShards on) {
    long seed;
    synchronized (pending) {
      seed = crashes.nextLong();
    }
    return ShardOpening.open(
        on.directory(), shards, on.opener(), TestShards.SETTINGS, TestShards.environment(seed));
  }

  private void crash() {
    synchronized (pending) {
      if (spared || crashes.nextInt(crashEvery) > 0) {
        return;
      }
      CrashStyle style = CrashStyle.values()[crashes.nextInt(CrashStyle.values().length)];
      long seed = crashes.nextLong();
      String where = name + ", " + step;
      pending.add(
          crashes.nextInt(8) == 0
              ? new Crash(
                  world.afterKill(seed),
                  history.afterKill(),
                  history.afterPowerLoss(),
                  where + ", killed")
              : new Crash(
                  world.afterPowerLoss(style, seed),
                  history.afterPowerLoss(),
                  history.afterPowerLoss(),
                  where + ", " + style + " " + seed));
    }
  }

  /** Runs the given number of steps and closes the store. Returns the number of checked crashes. */
  public long run(int steps) {
    for (int i = 0; i < steps; i++) {
      step(i, Kind.random(random));
    }
    return close();
  }

  /** Runs these steps, crashes only the last one, and closes the store. */
  public long run(List<Kind> kinds) {
    for (int i = 0; i < kinds.size(); i++) {
      synchronized (pending) {
        spared = i < kinds.size() - 1;
      }
      step(i, kinds.get(i));
    }
    return close();
  }

  private long close() {
    step = "closing";
    store.close();
    history.allSafe();
    checkPending();
    world.checkClosed();
    return points;
  }

  private void step(int number, Kind kind) {
    step = number + " " + kind;
    switch (kind) {
      case PUT -> put(key(), 40);
      case LARGE_PUT -> put(key(), 600);
      case OVERWRITE -> put(lastKey, 40);
      case SINGLE -> single();
      case DELETE -> delete();
      case BATCH -> batch(1 + random.nextInt(3), true);
      case CROSS_SHARD_BATCH -> batch(2 + random.nextInt(5), false);
      case SYNC -> {
        store.sync();
        history.allSafe();
      }
      case FLUSH -> {
        store.flush();
        history.allSafe();
      }
      case CREATE -> {
        history.beginCreate("d");
        store.keyspace("d");
        history.endKeyspaces();
      }
      case DROP -> drop();
      case REOPEN -> {
        store.close();
        history.allSafe();
        world.checkClosed();
        store = open(world);
      }
      case KILL -> restart(false);
      case POWER_LOSS -> restart(true);
    }
    checkPending();
  }

  private void drop() {
    if (history.keyspaces().containsKey("d")) {
      history.beginDrop("d");
      store.dropKeyspace("d");
      history.endKeyspaces();
    }
  }

  /** Ends the process and opens the store again. */
  private void restart(boolean powerLoss) {
    CrashStyle style = CrashStyle.values()[random.nextInt(CrashStyle.values().length)];
    long seed = random.nextLong();
    CrashingShards survivor;
    Expected expected;
    synchronized (pending) {
      expected = powerLoss ? history.afterPowerLoss() : history.afterKill();
      survivor = powerLoss ? world.afterPowerLoss(style, seed) : world.afterKill(seed);
      if (powerLoss) {
        history.losesPower();
      }
      world.onEvent(() -> {});
      world.die();
    }
    try {
      store.close();
    } catch (KvException e) {
      // A dead process closes no file, but its threads end.
      step += ", " + e.getMessage();
    }
    world = survivor;
    world.onEvent(this::crash);
    store = open(world);
    history.fallBackTo(matched(store, expected));
    if (powerLoss) {
      history.allSafe();
    }
  }

  private String key() {
    List<Integer> keyspaces = new ArrayList<>(List.of(0, 0));
    keyspaces.addAll(history.keyspaces().values());
    return keyspaces.get(random.nextInt(keyspaces.size())) + "/key" + random.nextInt(KEYS);
  }

  private byte[] value() {
    return value(random.nextInt(10) == 0 ? 600 : 40);
  }

  private byte[] value(int lengthMax) {
    byte[] value = new byte[4 + random.nextInt(lengthMax)];
    ByteBuffer.wrap(value).putInt(++lastValue);
    return value;
  }

  private @Nullable Keyspace keyspace(String key) {
    return key.startsWith("0/") ? null : store.keyspace("d");
  }

  private static Durability durability(SplittableRandom random) {
    return Durability.values()[random.nextInt(Durability.values().length)];
  }

  private void put(String key, int lengthMax) {
    Map<String, byte @Nullable []> changes = new TreeMap<>();
    changes.put(key, value(lengthMax));
    write(changes);
    lastKey = key.startsWith("0/") ? key : lastKey;
  }

  private void delete() {
    Map<String, byte @Nullable []> changes = new TreeMap<>();
    changes.put(lastKey, null);
    write(changes);
  }

  /** Writes a batch over that many keys, or over fewer if one shard has too few keys. */
  private void batch(int count, boolean inOneShard) {
    Map<String, byte @Nullable []> changes = new TreeMap<>();
    Set<Integer> concerned = new HashSet<>();
    int shardsMin = inOneShard ? 1 : Math.min(2, shards);
    for (int tries = 0;
        tries < KEY_TRIES && (changes.size() < count || concerned.size() < shardsMin);
        tries++) {
      String key = key();
      int shard = history.shardOf(key);
      if (!inOneShard || concerned.isEmpty() || concerned.contains(shard)) {
        concerned.add(shard);
        changes.put(key, random.nextInt(4) == 0 ? null : value());
      }
    }
    write(changes);
  }

  private void write(Map<String, byte @Nullable []> changes) {
    WriteBatch batch = new WriteBatch();
    changes.forEach((key, value) -> {
      if (value == null) {
        batch.delete(keyspace(key), ShardHistory.userKey(key));
      } else {
        batch.put(keyspace(key), ShardHistory.userKey(key), value);
      }
    });
    Durability durability = durability(random);
    boolean several = history.begin(changes);
    store.write(batch, durability);
    // The log of transactions is always forced.
    acknowledged(several && !world.keepsParts() ? Durability.SYNC : durability);
  }

  /** Makes a write outside of a batch, in the default keyspace. */
  private void single() {
    byte[] key = ("key" + random.nextInt(KEYS)).getBytes(UTF_8);
    byte[] value = random.nextInt(3) == 0 ? null : value();
    Durability durability = durability(random);
    boolean conditional = random.nextBoolean();
    byte[] before = store.get(key);
    Map<String, byte @Nullable []> change = new TreeMap<>();
    change.put("0/" + new String(key, UTF_8), value);
    history.begin(change);
    if (conditional) {
      if (!store.compareAndSet(key, before, value, durability)) {
        throw new AssertionError("wrong result of a conditional write");
      }
    } else if (value == null) {
      store.delete(key, durability);
    } else {
      store.put(key, value, durability);
    }
    acknowledged(durability);
  }

  private void acknowledged(Durability durability) {
    switch (durability) {
      case SYNC -> history.safeFromPowerLoss();
      case OS -> history.safeFromKill();
      case BUFFERED -> {
        // A buffered write has no promise.
      }
    }
  }

  private void checkPending() {
    List<Crash> taken;
    synchronized (pending) {
      taken = List.copyOf(pending);
      pending.clear();
    }
    for (Crash crash : taken) {
      try {
        check(crash);
      } catch (RuntimeException | Error e) {
        throw new AssertionError(crash.where + ": " + e, e);
      }
    }
  }

  /** Opens the files that a crash left, checks, writes, crashes again, and checks again. */
  private void check(Crash crash) {
    points++;
    List<Crash> second = new ArrayList<>();
    if (random.nextInt(SECOND_CRASH_EVERY) == 0) {
      crashInRecovery(crash, second);
    }
    ShardedStore opened = open(crash.survivor);
    crash.survivor.onEvent(() -> {});
    matched(opened, crash.expected);
    byte[] fresh = "after the crash".getBytes(UTF_8);
    WriteBatch batch = new WriteBatch();
    for (int i = 0; i < 2 * shards; i++) {
      batch.put(("new" + i).getBytes(UTF_8), fresh);
    }
    opened.write(batch, Durability.SYNC);
    Map<String, ByteBuffer> before = contents(opened, crash.expected.keyspaces().get(0));
    opened.sync();
    CrashingShards next = random.nextBoolean()
        ? crash.survivor.afterPowerLoss(CrashStyle.DROP_UNSYNCED, 1)
        : crash.survivor;
    opened.close();
    crash.survivor.checkClosed();
    try (ShardedStore again = open(next)) {
      if (!contents(again, crash.expected.keyspaces().get(0)).equals(before)) {
        throw new AssertionError("entries recovered after the crash are lost");
      }
    }
    second.forEach(this::check);
  }

  private void crashInRecovery(Crash crash, List<Crash> second) {
    crash.survivor.onEvent(() -> {
      synchronized (pending) {
        if (second.size() < 3 && crashes.nextInt(8) == 0) {
          CrashStyle style = CrashStyle.values()[crashes.nextInt(CrashStyle.values().length)];
          long seed = crashes.nextLong();
          second.add(new Crash(
              crash.survivor.afterPowerLoss(style, seed),
              crash.afterSecond,
              crash.afterSecond,
              crash.where + ", and in the recovery " + style + " " + seed));
        }
      }
    });
  }

  private int[] matched(ShardedStore opened, Expected expected) {
    for (Map<String, Integer> live : expected.keyspaces()) {
      if (live.keySet().equals(opened.keyspaceNames())) {
        return history.match(expected, live, contents(opened, live));
      }
    }
    throw new AssertionError(
        "keyspaces " + opened.keyspaceNames() + ", expected " + expected.keyspaces());
  }

  private static Map<String, ByteBuffer> contents(
      ShardedStore store, Map<String, Integer> keyspaces) {
    Map<String, ByteBuffer> found = new TreeMap<>();
    read(store, 0, found);
    keyspaces.forEach((name, number) -> {
      if (store.keyspaceNames().contains(name)) {
        read(store.keyspace(name), number, found);
      }
    });
    return found;
  }

  private static void read(KvReader reader, int keyspace, Map<String, ByteBuffer> found) {
    try (KvIterator entries = reader.scan()) {
      while (entries.next()) {
        found.put(
            keyspace + "/" + new String(entries.key(), UTF_8), ByteBuffer.wrap(entries.value()));
      }
    }
  }
}
