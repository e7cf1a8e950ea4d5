// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.KeyHistory.Call;
import io.github.rlsm.KeyHistory.Kind;
import io.github.rlsm.engine.Environment;
import io.github.rlsm.engine.ThreadScheduler;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.ModelStore;
import io.github.rlsm.kv.TestSeed;
import io.github.rlsm.kv.WriteBatch;
import io.github.rlsm.shard.ShardedStore;
import io.github.rlsm.shard.TestShards;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Single keys under many threads: what the calls were told must be what they could have been told
 * one by one. Checked by OpenSearch's checker (Wing and Gong's algorithm, with Lowe's memory of
 * what was tried), each key on its own, for linearizability is a matter of each object.
 *
 * <p>The system property {@code rlsm.histories} says how many rounds, {@value #ROUNDS} unless it is
 * set.
 */
class LinearizabilityTest {

  private static final int ROUNDS = 40;
  private static final int THREADS = 8;
  private static final int KEYS = 3;
  private static final int CALLS = 120;

  private static final RlsmOptions OPTIONS =
      RlsmOptions.builder().memoryBudget(1 << 20).backgroundThreads(1).build();

  private static RlsmStore engine(long seed) {
    return RlsmStore.open(
        new SimulatedDirectory(),
        OPTIONS,
        new Environment(
            System::nanoTime, new SplittableRandom(seed), new ThreadScheduler("engine", 1)));
  }

  @Test
  void theEngine() throws Exception {
    long seed = TestSeed.get();
    for (int round = 0; round < Integer.getInteger("rlsm.histories", ROUNDS); round++) {
      try (KvStore store = engine(seed + round)) {
        check(store, seed + round);
      }
    }
  }

  /** Batches over several of them are kept by parts in every other round, else by redo. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8})
  void shardsOfTheEngine(int shards) throws Exception {
    long seed = TestSeed.get();
    for (int round = 0; round < Integer.getInteger("rlsm.histories", ROUNDS) / 2; round++) {
      long first = seed + 100L * round;
      EngineShards engines = new EngineShards(OPTIONS, shards, round % 2 == 0).withThreads();
      try (ShardedStore store = ShardedStore.open(
          engines.directory(),
          shards,
          engines.opener(),
          TestShards.SETTINGS,
          TestShards.environment(first))) {
        check(store, first);
      }
    }
  }

  /** A store whose compare-and-set reads and writes in two steps is found out. */
  @Test
  void aBrokenStoreIsFoundOut() throws Exception {
    long seed = TestSeed.get();
    boolean found = false;
    for (int round = 0; round < 200 && !found; round++) {
      try (KvStore store = new TwoSteps()) {
        found = run(store, seed + round).stream().anyMatch(key -> !key.isLinearizable());
      }
    }
    assertThat(found).as(TestSeed.howToReplay(seed)).isTrue();
  }

  private static void check(KvStore store, long seed) throws Exception {
    for (KeyHistory key : run(store, seed)) {
      assertThat(key.isLinearizable())
          .as(() -> TestSeed.howToReplay(seed) + ": " + key)
          .isTrue();
    }
  }

  /** Runs all threads and returns each key's history. */
  private static List<KeyHistory> run(KvStore store, long seed) throws Exception {
    List<KeyHistory> histories = Stream.generate(KeyHistory::new).limit(KEYS).toList();
    AtomicInteger values = new AtomicInteger();
    CyclicBarrier start = new CyclicBarrier(THREADS);
    List<FutureTask<Boolean>> tasks = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      SplittableRandom random = new SplittableRandom(seed * THREADS + thread);
      FutureTask<Boolean> task = new FutureTask<>(() -> {
        start.await();
        int seen = KeyHistory.ABSENT;
        for (int i = 0; i < CALLS; i++) {
          int key = random.nextInt(KEYS);
          seen = call(store, histories.get(key), key, draw(random, seen, values));
        }
        return true;
      });
      tasks.add(task);
      new Thread(task, "caller-" + thread).start();
    }
    for (FutureTask<Boolean> task : tasks) {
      task.get();
    }
    return histories;
  }

  private static Call draw(SplittableRandom random, int seen, AtomicInteger values) {
    int dice = random.nextInt(10);
    int value = values.incrementAndGet();
    if (dice < 4) {
      return new Call(Kind.GET, 0, 0);
    } else if (dice < 6) {
      return new Call(Kind.PUT, 0, value);
    } else if (dice < 7) {
      return new Call(Kind.DELETE, 0, 0);
    } else if (dice < 9) {
      return new Call(Kind.COMPARE_AND_SET, seen, random.nextInt(4) == 0 ? 0 : value);
    }
    return new Call(Kind.PUT_IF_ABSENT, 0, value);
  }

  /** Makes a call, and returns what the thread knows the key's value to have been. */
  private static int call(KvStore store, KeyHistory history, int key, Call call) {
    byte[] bytes = {'k', (byte) key};
    Durability durability = Durability.values()[call.value() % 3];
    int begun = history.begin(call);
    int result = 0;
    switch (call.kind()) {
      case GET -> result = decode(store.get(bytes));
      case PUT -> put(store, bytes, call.value(), durability);
      case DELETE -> store.delete(bytes, durability);
      case COMPARE_AND_SET ->
        result =
            store.compareAndSet(bytes, orNull(call.expected()), orNull(call.value()), durability)
                ? 1
                : 0;
      case PUT_IF_ABSENT ->
        result = decode(store.putIfAbsent(bytes, encode(call.value()), durability));
    }
    history.end(begun, result);
    return call.kind() == Kind.GET ? result : call.value();
  }

  /** Every other time with keys that nobody reads, so that most are batches over many shards. */
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

  /** Long enough that some values stand in the value log. */
  private static byte[] encode(int value) {
    return ByteBuffer.allocate(value % 5 == 0 ? 700 : 4).putInt(value).array();
  }

  private static int decode(byte @Nullable [] value) {
    return value == null ? KeyHistory.ABSENT : ByteBuffer.wrap(value).getInt();
  }

  private static final class TwoSteps extends ModelStore {

    @Override
    public boolean compareAndSet(
        byte[] key,
        byte @Nullable [] expected,
        byte @Nullable [] replacement,
        Durability durability) {
      boolean equal = Arrays.equals(get(key), expected);
      LockSupport.parkNanos(1); // lets the others come between
      if (equal && replacement != null) {
        put(key, replacement, durability);
      } else if (equal) {
        delete(key, durability);
      }
      return equal;
    }
  }
}
