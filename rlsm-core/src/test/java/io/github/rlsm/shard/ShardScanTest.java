// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.ModelStore;
import io.github.rlsm.kv.ScanOptions;
import io.github.rlsm.shard.worker.ShardSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests both ways of scanning several shards. */
class ShardScanTest {

  private static final int KEYS = 300;

  /** The threads that have read entries of a scan. */
  private final Set<Thread> readers = ConcurrentHashMap.newKeySet();

  /** A model that fails at one key, and records the reading threads. */
  private final class FailingStore extends ModelStore {

    @Override
    public KvIterator scan(ScanOptions options) {
      KvIterator real = super.scan(options);
      return new KvIterator() {
        @Override
        public boolean next() {
          readers.add(Thread.currentThread());
          boolean more = real.next();
          if (more && new String(real.key(), UTF_8).equals("bad")) {
            throw new CorruptionException("a table", 17, "a bad page");
          }
          return more;
        }

        @Override
        public byte[] key() {
          return real.key();
        }

        @Override
        public byte[] value() {
          return real.value();
        }

        @Override
        public void close() {
          real.close();
        }
      };
    }
  }

  private ShardedStore open(int gatherMax) {
    ShardSettings settings = new ShardSettings(64, 32, 1 << 20, 1 << 20, 64, gatherMax);
    ShardedStore store = TestShards.over(
        new SimulatedDirectory(),
        List.of(new FailingStore(), new FailingStore(), new FailingStore()),
        settings);
    for (int i = 0; i < KEYS; i++) {
      store.put(key(i), new byte[i]);
    }
    readers.clear();
    return store;
  }

  private static byte[] key(int number) {
    return ("key " + (100 + number)).getBytes(UTF_8);
  }

  private static List<Integer> lengths(KvIterator entries) {
    List<Integer> lengths = new ArrayList<>();
    while (entries.next()) {
      assertThat(entries.value()).isNotSameAs(entries.value());
      lengths.add(entries.value().length);
    }
    assertThat(entries.next()).isFalse();
    return lengths;
  }

  private static List<Integer> numbers(int from, int to) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = from; i != to; i += from < to ? 1 : -1) {
      numbers.add(i);
    }
    return numbers;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 64, 1000})
  void bothWaysReturnTheSameEntries(int gatherMax) {
    try (ShardedStore store = open(gatherMax)) {
      for (int count : new int[] {0, 1, 6, 7, 8, 63, 64, 65, 200}) {
        ScanOptions.Builder some = ScanOptions.builder().from(key(50)).limit(count);
        try (KvIterator entries = store.scan(some.build())) {
          assertThat(lengths(entries)).isEqualTo(numbers(50, 50 + count));
        }
        ScanOptions.Builder back =
            ScanOptions.builder().to(key(250)).limit(count).reverse();
        try (KvIterator entries = store.scan(back.build())) {
          assertThat(lengths(entries)).isEqualTo(numbers(249, 249 - count));
        }
        try (KvIterator entries = store.scan(ScanOptions.range(key(20), key(20 + count)))) {
          assertThat(lengths(entries)).isEqualTo(numbers(20, 20 + count));
        }
      }
      try (KvIterator entries = store.scan()) {
        assertThat(lengths(entries)).isEqualTo(numbers(0, KEYS));
      }
    }
  }

  @Test
  void aShortScanIsReadByTheWorkersAndALongOneByTheCaller() {
    try (ShardedStore store = open(10)) {
      try (KvIterator entries =
          store.scan(ScanOptions.builder().from(key(5)).limit(10).build())) {
        assertThat(lengths(entries)).hasSize(10);
      }
      assertThat(readers).hasSize(3).doesNotContain(Thread.currentThread());
      readers.clear();
      try (KvIterator entries = store.scan()) {
        assertThat(lengths(entries)).hasSize(KEYS);
      }
      assertThat(readers).containsExactly(Thread.currentThread());
    }
  }

  @Test
  void gatheredScanReadsOnePointInTime() {
    try (ShardedStore store = open(10)) {
      try (KvIterator entries = store.scan(ScanOptions.range(key(5), key(100)))) {
        for (int i = 0; i < KEYS; i++) {
          store.delete(key(i));
        }
        assertThat(lengths(entries)).isEqualTo(numbers(5, 100));
      }
    }
  }

  @Test
  void gatheredScanReportsDamageAtItsKey() {
    try (ShardedStore store = open(10)) {
      store.put("bad".getBytes(UTF_8), new byte[1]);
      store.put("a".getBytes(UTF_8), new byte[2]);
      store.put("aa".getBytes(UTF_8), new byte[3]);
      try (KvIterator entries = store.scan(ScanOptions.builder().limit(10).build())) {
        assertThatThrownBy(() -> lengths(entries)).isInstanceOf(CorruptionException.class);
        assertThatThrownBy(entries::next).isInstanceOf(CorruptionException.class);
      }
    }
  }

  @Test
  void keysOnlyScansAreNotGathered() {
    try (ShardedStore store = open(10)) {
      ScanOptions keys = ScanOptions.builder().limit(3).keysOnly().build();
      try (KvIterator entries = store.scan(keys)) {
        assertThat(entries.next()).isTrue();
        assertThat(entries.key()).isEqualTo(key(0));
        assertThatThrownBy(entries::value).isInstanceOf(IllegalStateException.class);
      }
    }
  }
}
