// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.KeyHistory.Call;
import io.github.rlsm.KeyHistory.Kind;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.KvException;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.StoreFactory.Crash;
import io.github.rlsm.kv.WriteBatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One run of several clients over a few keys of one store, with the result of each call. Among the
 * calls are flushes and collections. After each round the store is opened again, after a close or
 * after a crash in the middle of the round. The crash leaves the results of the calls in flight
 * unknown.
 */
final class HistoryRun {

  /** The number of operations of a run. */
  static final int OPERATIONS = 1_000;

  private static final int CLIENTS = 8;
  private static final int ROUNDS = 5;
  private static final int CALLS_A_ROUND = OPERATIONS / CLIENTS / ROUNDS;
  private static final int KEYS = 3;

  /** The operations on a store that a run needs besides the calls. */
  interface World {

    /** The open store. */
    KvStore store();

    /** Whether calls may fail without a crash. */
    default boolean mayFail() {
      return false;
    }

    /** Moves data inside the store, without an effect that a call can observe. */
    void maintain(SplittableRandom random);

    /** Ends the process or the machine while calls are in flight. */
    void crash(Crash crash, SplittableRandom random);

    /** Closes the store if it was not crashed, and opens it again. No client is in a call. */
    void reopen(SplittableRandom random);
  }

  private final World world;
  private final SplittableRandom random;
  private final List<KeyHistory> histories =
      Stream.generate(KeyHistory::new).limit(KEYS).toList();
  private final AtomicInteger values = new AtomicInteger();

  /**
   * Where all clients meet after each round. A client that fails ends it for all: now, and for
   * those that come later. A barrier that the client resets would let those wait forever.
   */
  private final Phaser rounds;

  /**
   * How the store ends in this run; null for a close. Each acknowledged write of the run has a
   * durability that survives this end.
   */
  private final @Nullable Crash crash;

  /** Set before a crash. From then on a result may come from a dead process. */
  private final AtomicBoolean crashing = new AtomicBoolean();

  /**
   * Creates a run whose choices depend on the seed alone. The order of the calls depends on the
   * threads.
   */
  HistoryRun(World world, @Nullable Crash crash, long seed) {
    this.world = world;
    this.crash = crash;
    this.random = new SplittableRandom(seed);
    this.rounds = new Phaser(CLIENTS) {
      @Override
      protected boolean onAdvance(int round, int clients) {
        reopen();
        return false;
      }
    };
  }

  private void reopen() {
    world.reopen(random);
    histories.forEach(key -> key.reopened(crash == Crash.POWER_LOSS));
    crashing.set(false);
  }

  /**
   * Runs all clients and returns the history of each key.
   *
   * @throws java.util.concurrent.ExecutionException if a client fails
   */
  List<KeyHistory> run() throws Exception {
    List<FutureTask<Boolean>> tasks = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      Client client = new Client(random.split(), i == 0);
      tasks.add(new FutureTask<>(client::run, true));
    }
    for (FutureTask<Boolean> task : tasks) {
      new Thread(task, "client").start();
    }
    for (FutureTask<Boolean> task : tasks) {
      task.get();
    }
    return histories;
  }

  /** One thread of calls. */
  private final class Client {

    private final SplittableRandom random;
    private final boolean crashes;

    /** The last known value of each key. */
    private final int[] seen = new int[KEYS];

    Client(SplittableRandom random, boolean crashes) {
      this.random = random;
      this.crashes = crashes;
    }

    void run() {
      try {
        for (int round = 0; round < ROUNDS; round++) {
          round(crash != null && crashes ? random.nextInt(CALLS_A_ROUND) : -1);
          rounds.arriveAndAwaitAdvance();
          if (rounds.isTerminated()) {
            return; // Another client has failed.
          }
        }
      } catch (RuntimeException | Error e) {
        rounds.forceTermination();
        throw new AssertionError(e);
      }
    }

    private void round(int crashAt) {
      for (int i = 0; i < CALLS_A_ROUND && !crashing.get(); i++) {
        if (i == crashAt && crash != null) {
          crashing.set(true);
          world.crash(crash, random);
          return;
        }
        if (random.nextInt(40) == 0) {
          maintain();
        }
        call(random.nextInt(KEYS));
      }
    }

    private void maintain() {
      try {
        world.maintain(random);
      } catch (KvException e) {
        failIfAlive(e);
      }
    }

    private void failIfAlive(KvException e) {
      if (!crashing.get() && !world.mayFail()) {
        throw e;
      }
    }

    private void call(int key) {
      Call call = draw(seen[key]);
      KeyHistory history = histories.get(key);
      int number = history.begin(call);
      int result;
      try {
        result = make(world.store(), key, call);
      } catch (KvException e) {
        failIfAlive(e);
        history.abandon(number, call);
        return;
      }
      if (crashing.get()) {
        history.abandon(number, call);
      } else {
        history.end(number, result);
        seen[key] = call.kind() == Kind.GET ? result : call.value();
      }
    }

    private Call draw(int lastSeen) {
      int dice = random.nextInt(10);
      int value = values.incrementAndGet();
      if (dice < 4) {
        return new Call(Kind.GET, 0, 0);
      } else if (dice < 6) {
        return new Call(Kind.PUT, 0, value);
      } else if (dice < 7) {
        return new Call(Kind.DELETE, 0, 0);
      } else if (dice < 9) {
        return new Call(Kind.COMPARE_AND_SET, lastSeen, random.nextInt(4) == 0 ? 0 : value);
      }
      return new Call(Kind.PUT_IF_ABSENT, 0, value);
    }

    /** Draws a durability whose writes survive the crashes of the run. */
    private Durability durability() {
      int weakest = crash == null ? 0 : crash == Crash.KILL ? 1 : 2;
      Durability[] all = {Durability.BUFFERED, Durability.OS, Durability.SYNC};
      return all[weakest + random.nextInt(all.length - weakest)];
    }

    private int make(KvStore store, int key, Call call) {
      byte[] bytes = {'k', (byte) key};
      Durability durability = durability();
      switch (call.kind()) {
        case GET -> {
          return decode(store.get(bytes));
        }
        case PUT -> put(store, bytes, call.value(), durability);
        case DELETE -> store.delete(bytes, durability);
        case COMPARE_AND_SET -> {
          byte[] expected = orNull(call.expected());
          byte[] replacement = orNull(call.value());
          return store.compareAndSet(bytes, expected, replacement, durability) ? 1 : 0;
        }
        case PUT_IF_ABSENT -> {
          return decode(store.putIfAbsent(bytes, encode(call.value()), durability));
        }
      }
      return 0;
    }
  }

  /**
   * Every other put also writes keys that no call reads. So most of these puts are batches over
   * many shards.
   */
  private static void put(KvStore store, byte[] key, int value, Durability durability) {
    if (value % 2 == 0) {
      store.put(key, encode(value), durability);
      return;
    }
    WriteBatch batch = new WriteBatch().put(key, encode(value));
    for (byte other = 0; other < 4; other++) {
      batch.put(new byte[] {'o', other}, encode(value));
    }
    store.write(batch, durability);
  }

  private static byte @Nullable [] orNull(int value) {
    return value == KeyHistory.ABSENT ? null : encode(value);
  }

  /** Encodes a value. Some encodings are long enough for the value log. */
  private static byte[] encode(int value) {
    return ByteBuffer.allocate(value % 5 == 0 ? 700 : 4).putInt(value).array();
  }

  private static int decode(byte @Nullable [] value) {
    return value == null ? KeyHistory.ABSENT : ByteBuffer.wrap(value).getInt();
  }
}
