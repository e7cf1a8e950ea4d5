// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import static io.github.rlsm.kv.TestBytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests how writes of one thread become visible to other threads. */
abstract class ConcurrencyContract extends ContractFixture {

  private static final int THREADS = 8;
  private static final byte[] KEY = bytes("key");

  private static byte[] number(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }

  private static long number(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getLong();
  }

  @Test
  void incrementsByCompareAndSetAddUp() throws Exception {
    int increments = 200;
    Keyspace named = store.keyspace("named");
    Workers.run(THREADS, thread -> {
      Keyspace keyspace = thread % 2 == 0 ? store : named;
      for (int i = 0; i < increments; i++) {
        byte[] before;
        byte[] after;
        do {
          before = keyspace.get(KEY);
          after = number(before == null ? 1 : number(before) + 1);
        } while (!keyspace.compareAndSet(KEY, before, after));
      }
    });
    assertThat(number(store.get(KEY))).isEqualTo(increments * THREADS / 2);
    assertThat(number(named.get(KEY))).isEqualTo(increments * THREADS / 2);
  }

  @Test
  void putIfAbsentHasOneWinner() throws Exception {
    int keys = 300;
    AtomicInteger[] winners = new AtomicInteger[keys];
    Arrays.setAll(winners, i -> new AtomicInteger(-1));
    Workers.run(THREADS, thread -> {
      for (int i = 0; i < keys; i++) {
        if (store.putIfAbsent(number(i), number(thread)) == null) {
          assertThat(winners[i].compareAndSet(-1, thread)).as("only one winner").isTrue();
        }
      }
    });
    for (int i = 0; i < keys; i++) {
      assertThat(number(store.get(number(i)))).isEqualTo(winners[i].get());
    }
  }

  @Test
  void acknowledgedWritesAreVisibleToAllThreads() throws Exception {
    AtomicLong acknowledged = new AtomicLong();
    int writes = 2_000;
    store.put(KEY, number(0));
    Workers.run(
        writer -> {
          for (long i = 1; i <= writes; i++) {
            store.put(KEY, number(i));
            acknowledged.set(i);
            if (i % 500 == 0) {
              store.flush();
            }
          }
        },
        reader -> readUntil(acknowledged, writes, () -> number(store.get(KEY))),
        reader -> readUntil(
            acknowledged, writes, () -> number(store.multiGet(List.of(KEY)).get(0))),
        reader -> readUntil(acknowledged, writes, () -> {
          try (Snapshot snapshot = store.snapshot()) {
            return number(snapshot.get(KEY));
          }
        }),
        reader -> readUntil(acknowledged, writes, () -> {
          try (KvIterator iterator = store.scan()) {
            assertThat(iterator.next()).isTrue();
            return number(iterator.value());
          }
        }));
  }

  private interface Read {
    long value();
  }

  /**
   * Reads repeatedly. No read may be older than the last acknowledged write or the previous read.
   */
  private static void readUntil(AtomicLong acknowledged, long last, Read read) {
    long seen = 0;
    while (seen < last) {
      long atLeast = Math.max(seen, acknowledged.get());
      seen = read.value();
      assertThat(seen).isGreaterThanOrEqualTo(atLeast);
    }
  }

  /** Two writers stamp twenty entries in two keyspaces. Each read must see a single stamp. */
  @Test
  void batchesAreSeenWholeOrNotAtAll() throws Exception {
    Keyspace named = store.keyspace("named");
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      keys.add(bytes("key " + i));
    }
    AtomicLong stamps = new AtomicLong();
    AtomicInteger writing = new AtomicInteger(2);
    Workers.Body writer = thread -> {
      try {
        for (int i = 0; i < 300; i++) {
          store.write(stamped(named, keys, stamps.incrementAndGet()));
          if (i % 100 == 50) {
            store.flush();
          }
        }
      } finally {
        writing.decrementAndGet();
      }
    };
    store.write(stamped(named, keys, 0));
    Workers.run(
        writer,
        writer,
        reader -> {
          do {
            assertOneStamp(store.multiGet(keys));
            assertOneStamp(named.multiGet(keys));
          } while (writing.get() > 0);
        },
        reader -> {
          do {
            assertOneStamp(values(store, ScanOptions.all()));
            assertOneStamp(values(named, ScanOptions.builder().reverse().build()));
          } while (writing.get() > 0);
        },
        reader -> {
          do {
            try (Snapshot snapshot = store.snapshot()) {
              List<byte[]> all = values(snapshot, ScanOptions.all());
              all.addAll(snapshot.in(named).multiGet(keys));
              assertThat(all).hasSize(20);
              assertOneStamp(all);
            }
          } while (writing.get() > 0);
        });
  }

  private static WriteBatch stamped(Keyspace named, List<byte[]> keys, long stamp) {
    WriteBatch batch = new WriteBatch();
    for (int i = 0; i < keys.size(); i++) {
      byte[] value = Arrays.copyOf(number(stamp), Long.BYTES + i * i * 30);
      batch.put(keys.get(i), value).put(named, keys.get(i), value);
    }
    return batch;
  }

  private static void assertOneStamp(List<byte[]> values) {
    assertThat(values.stream().map(ConcurrencyContract::number).distinct()).hasSize(1);
  }

  private static List<byte[]> values(KvReader reader, ScanOptions options) {
    List<byte[]> values = new ArrayList<>();
    try (KvIterator iterator = reader.scan(options)) {
      iterator.forEachRemaining((key, value) -> values.add(value));
    }
    return values;
  }

  /** Batches move a token from key to key and keyspace to keyspace. Reads find exactly one. */
  @Test
  void aTokenMovedByBatchesIsAlwaysInOnePlace() throws Exception {
    Keyspace named = store.keyspace("named");
    AtomicInteger moving = new AtomicInteger(1);
    store.put(bytes(0), bytes("token"));
    Workers.run(
        mover -> {
          SplittableRandom random = new SplittableRandom(5);
          int at = 0;
          for (int i = 0; i < 1_000; i++) {
            int to = random.nextInt(40);
            store.write(new WriteBatch()
                .delete(at < 20 ? store : named, bytes(at))
                .put(to < 20 ? store : named, bytes(to), bytes("token")));
            at = to;
          }
          moving.decrementAndGet();
        },
        reader -> {
          do {
            try (Snapshot snapshot = store.snapshot()) {
              int tokens =
                  entries(snapshot).size() + entries(snapshot.in(named)).size();
              assertThat(tokens).isEqualTo(1);
            }
          } while (moving.get() > 0);
        });
  }

  /** Each thread owns the keys of one prefix and must always find them as it wrote them. */
  @Test
  void threadsWithDisjointKeysDoNotInterfere() throws Exception {
    List<Map<byte[], byte[]>> models = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      models.add(new TreeMap<>(Arrays::compareUnsigned));
    }
    Keyspace named = store.keyspace("named");
    Workers.run(THREADS, thread -> {
      Keyspace keyspace = thread % 2 == 0 ? store : named;
      Map<byte[], byte[]> model = models.get(thread);
      SplittableRandom random = new SplittableRandom(thread);
      for (int i = 0; i < 1_500; i++) {
        byte[] key = bytes(thread, random.nextInt(100));
        step(keyspace, model, key, random);
        assertThat(keyspace.get(key)).isEqualTo(model.get(key));
        if (i % 500 == 499) {
          store.flush();
        }
        if (i % 100 == 99) {
          assertThat(entries(keyspace, ScanOptions.prefix(bytes(thread)))).isEqualTo(shown(model));
        }
      }
    });
    for (int i = 0; i < THREADS; i++) {
      assertThat(entries(i % 2 == 0 ? store : named, ScanOptions.prefix(bytes(i))))
          .isEqualTo(shown(models.get(i)));
    }
  }

  private void step(
      Keyspace keyspace, Map<byte[], byte[]> model, byte[] key, SplittableRandom random) {
    byte[] value = TestBytes.random(random.nextLong(), random.nextInt(1_200));
    switch (random.nextInt(5)) {
      case 0 -> {
        keyspace.delete(key);
        model.remove(key);
      }
      case 1 -> {
        store.write(new WriteBatch().put(keyspace, key, value));
        model.put(key, value);
      }
      case 2 -> {
        assertThat(keyspace.compareAndSet(key, model.get(key), value)).isTrue();
        model.put(key, value);
      }
      default -> {
        keyspace.put(key, value);
        model.put(key, value);
      }
    }
  }

  private static List<String> shown(Map<byte[], byte[]> model) {
    return model.entrySet().stream().map(e -> entry(e.getKey(), e.getValue())).toList();
  }

  @Test
  void keyspacesMayBeMadeAndDroppedByManyThreads() throws Exception {
    Workers.run(THREADS, thread -> {
      for (int i = 0; i < 10; i++) {
        Keyspace shared = store.keyspace("shared");
        shared.put(bytes(thread, i), bytes("value"));
        Keyspace own = store.keyspace("own " + thread);
        assertThat(entries(own)).isEmpty();
        own.put(KEY, bytes("value"));
        store.dropKeyspace("own " + thread);
      }
    });
    assertThat(store.keyspaceNames()).containsExactly("shared");
    assertThat(entries(store.keyspace("shared"))).hasSize(THREADS * 10);
  }

  @Test
  void writesThatRaceWithADropLeaveNothingBehind() throws Exception {
    for (int round = 0; round < 5; round++) {
      Keyspace doomed = store.keyspace("doomed");
      CountDownLatch warm = new CountDownLatch(200);
      Workers.Body writer = thread -> assertThatThrownBy(() -> {
            try {
              for (int i = 0; true; i++) {
                doomed.put(bytes(thread, i % 256), bytes("value"));
                store.write(new WriteBatch()
                    .put(bytes(thread), number(i))
                    .put(doomed, bytes(thread), number(i)));
                warm.countDown();
              }
            } finally {
              while (warm.getCount() > 0) {
                warm.countDown();
              }
            }
          })
          .isInstanceOf(NoSuchKeyspaceException.class);
      Workers.run(writer, writer, writer, writer, dropper -> {
        warm.await();
        store.dropKeyspace("doomed");
      });
      assertThat(entries(store.keyspace("doomed"))).isEmpty();
      store.flush();
      assertThat(entries(store.keyspace("doomed"))).isEmpty();
      store.dropKeyspace("doomed");
    }
  }
}
