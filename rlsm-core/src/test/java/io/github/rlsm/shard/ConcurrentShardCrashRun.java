// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.rlsm.Crew;
import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.WriteBatch;
import io.github.rlsm.shard.ShardHistory.Expected;
import io.github.rlsm.shard.worker.ShardRouter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs several clients of one store concurrently, with crashes at I/O events and between them. Each
 * client writes separate keys, so its writes are one history. After a crash, each shard must hold a
 * prefix of its part of that history with all promised writes, and every batch whole or not at all.
 *
 * <p>Across clients: if write A was acknowledged before write B began, each shard that holds B must
 * also hold its part of A. If B is durable, A is durable in the same shards.
 *
 * <p>The interleaving of the clients is random: a seed determines their writes, not the order.
 */
public final class ConcurrentShardCrashRun {

  private static final int CLIENTS = 4;
  private static final int KEYS = 8;

  /** The largest number of crashes that wait for their check. Further crashes are discarded. */
  private static final int PENDING_MAX = 12;

  /** An unchecked crash: the surviving files, and the expected state of each client. */
  private record Crash(CrashingShards survivor, List<Expected> expected, String where) {}

  /** A client: its writes, and the state that it knew when it began each of them. */
  private static final class Client {

    final ShardHistory history;
    final SplittableRandom random;

    /** For each write, the number of acknowledged writes of each client when it began. */
    final List<int[]> before = new ArrayList<>();

    /** Written only by the client. */
    volatile int acknowledged;

    Client(ShardHistory history, SplittableRandom random) {
      this.history = history;
      this.random = random;
    }

    synchronized void begins(int[] seen) {
      before.add(seen);
    }

    synchronized int[] before(int write) {
      return before.get(write);
    }
  }

  private final CrashingShards world;
  private final int shards;
  private final int crashEvery;
  private final String name;
  private final SplittableRandom crashes;
  private final List<Client> clients = new ArrayList<>();
  private final List<Crash> pending = new ArrayList<>();
  private @Nullable KvStore store;

  /**
   * Creates a run.
   *
   * @param crashEvery takes one in this many crashes, at random
   * @param name identifies the run in messages
   */
  public ConcurrentShardCrashRun(
      CrashingShards world, int shards, int crashEvery, long seed, String name) {
    SplittableRandom random = new SplittableRandom(seed);
    this.world = world;
    this.shards = shards;
    this.crashEvery = crashEvery;
    this.name = name;
    this.crashes = random.split();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(new Client(new ShardHistory(new ShardRouter(shards)), random.split()));
    }
  }

  /**
   * Lets every client make the given number of writes, closes the store and checks every crash.
   *
   * @return the number of checked crashes
   */
  public int run(int steps) throws Exception {
    KvStore whole = world.openWhole(shards);
    store = whole;
    world.onEvent(this::crash);
    Crew crew = new Crew();
    for (int i = 0; i < CLIENTS; i++) {
      int number = i;
      crew.add(1, () -> {
        for (int step = 0; step < steps; step++) {
          step(number, step);
        }
      });
    }
    crew.run();
    whole.close();
    world.onEvent(() -> {});
    world.checkClosed();
    for (Crash crash : pending) {
      try {
        check(crash);
      } catch (RuntimeException | Error e) {
        throw new AssertionError(crash.where + ": " + e, e);
      }
    }
    return pending.size();
  }

  /**
   * Takes a crash. Reads the promises before it and the begun writes after it, because other
   * clients continue concurrently.
   */
  private void crash() {
    synchronized (pending) {
      if (crashes.nextInt(crashEvery) > 0 || pending.size() >= PENDING_MAX) {
        return;
      }
      CrashStyle style = CrashStyle.values()[crashes.nextInt(CrashStyle.values().length)];
      boolean killed = crashes.nextInt(4) == 0;
      long seed = crashes.nextLong();
      List<Expected> promised = clients.stream()
          .map(client -> killed ? client.history.afterKill() : client.history.afterPowerLoss())
          .toList();
      CrashingShards survivor = killed ? world.afterKill(seed) : world.afterPowerLoss(style, seed);
      List<Expected> expected = IntStream.range(0, CLIENTS)
          .mapToObj(i -> promised.get(i).of(clients.get(i).history.count()))
          .toList();
      String how = killed ? "killed" : style + " " + seed;
      pending.add(new Crash(survivor, expected, name + ", " + how));
    }
  }

  private void step(int number, int step) {
    Client client = clients.get(number);
    int dice = client.random.nextInt(100);
    if (dice < 3) {
      int[] seen = acknowledged();
      opened().sync();
      promise(seen, IntStream.range(0, shards).boxed().collect(Collectors.toSet()));
    } else {
      write(client, number, step, dice < 40 ? 1 : 2 + client.random.nextInt(4));
    }
    if (client.random.nextInt(8) == 0) {
      crash();
    }
  }

  private KvStore opened() {
    return Objects.requireNonNull(store);
  }

  private int[] acknowledged() {
    return clients.stream().mapToInt(client -> client.acknowledged).toArray();
  }

  private void promise(int[] counts, Set<Integer> inShards) {
    for (int i = 0; i < CLIENTS; i++) {
      clients.get(i).history.safeFromPowerLoss(counts[i], inShards);
    }
  }

  private void write(Client client, int number, int step, int count) {
    Map<String, byte @Nullable []> changes = new TreeMap<>();
    WriteBatch batch = new WriteBatch();
    for (int i = 0; i < count; i++) {
      String key = prefix(number) + client.random.nextInt(KEYS);
      byte[] value = new byte[4 + client.random.nextInt(client.random.nextInt(10) == 0 ? 600 : 40)];
      ByteBuffer.wrap(value).putInt(step);
      changes.put(key, value);
      batch.put(ShardHistory.userKey(key), value);
    }
    Durability durability = Durability.values()[client.random.nextInt(Durability.values().length)];
    int[] seen = acknowledged();
    client.begins(seen);
    boolean several = client.history.begin(changes);
    int write = client.history.count();
    opened().write(batch, durability);
    if (durability == Durability.SYNC || (several && !world.keepsParts())) {
      client.history.safeFromPowerLoss();
      promise(seen, client.history.shardsOf(write - 1));
    } else if (durability == Durability.OS) {
      client.history.safeFromKill();
    }
    client.acknowledged = write;
  }

  private static String prefix(int client) {
    return "0/client" + client + "-";
  }

  private void check(Crash crash) {
    KvStore opened = crash.survivor.openWhole(shards);
    List<int[]> found = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      found.add(clients.get(i).history.match(crash.expected.get(i), Map.of(), keys(opened, i)));
    }
    for (int i = 0; i < CLIENTS; i++) {
      checkBefore(i, crash.expected.get(i).count(), found);
    }
    crash.survivor.verify(opened);
    opened.close();
    crash.survivor.checkClosed();
  }

  private static Map<String, ByteBuffer> keys(KvStore store, int client) {
    Map<String, ByteBuffer> found = new TreeMap<>();
    try (KvIterator entries = store.scan()) {
      while (entries.next()) {
        String key = "0/" + new String(entries.key(), UTF_8);
        if (key.startsWith(prefix(client))) {
          found.put(key, ByteBuffer.wrap(entries.value()));
        }
      }
    }
    return found;
  }

  /**
   * Checks that each shard with a write also has all writes acknowledged before that write began.
   */
  private void checkBefore(int client, int begun, List<int[]> found) {
    ShardHistory history = clients.get(client).history;
    for (int write = 0; write < begun; write++) {
      for (int shard : history.shardsOf(write)) {
        if (write < found.get(client)[shard]) {
          int[] before = clients.get(client).before(write);
          for (int other = 0; other < CLIENTS; other++) {
            checkThere(other, found.get(other)[shard], before[other], shard);
          }
        }
      }
    }
  }

  private void checkThere(int client, int there, int acknowledged, int shard) {
    for (int write = there; write < acknowledged; write++) {
      if (clients.get(client).history.shardsOf(write).contains(shard)) {
        throw new AssertionError("write " + (write + 1) + " of client " + client
            + " is missing in shard " + shard + ", but a later write is present");
      }
    }
  }
}
