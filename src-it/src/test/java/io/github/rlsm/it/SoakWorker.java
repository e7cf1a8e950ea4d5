// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.KvReader;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.ScanOptions;
import io.github.rlsm.kv.Snapshot;
import io.github.rlsm.kv.WriteBatch;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Runs mixed operations on keys that no other worker uses. Compares each answer with the values
 * that the worker wrote.
 *
 * <p>Threads: one round at a time; a round is joined before any other call.
 */
final class SoakWorker {

  private static final int KEYS = 1_500;
  private static final int SMALL_BYTES_MAX = 200;
  private static final int LARGE_BYTES_MAX = 6_000;
  private static final int HUGE_BYTES_MAX = 300_000;

  private final int number;
  private final Random random;

  /** By key: the number from which {@link #value} derives its value; 0 for an absent key. */
  private final long[] values = new long[KEYS];

  private long done;

  SoakWorker(int number, long seed) {
    this.number = number;
    random = new Random(seed);
  }

  /** The number of operations so far. */
  long done() {
    return done;
  }

  /** Creates a thread with a number of operations. */
  Round round(KvStore store, int operations) {
    return new Round(store, operations);
  }

  /** A thread that executes a number of operations. */
  final class Round extends Thread {

    private final KvStore store;
    private final int operations;
    private @Nullable Throwable failure;

    private Round(KvStore store, int operations) {
      super("soak-" + number);
      this.store = store;
      this.operations = operations;
    }

    @Override
    public void run() {
      try {
        for (int i = 0; i < operations; i++) {
          work(store);
          Thread.interrupted(); // an interrupt must affect only the operation that it hit
        }
        done += operations;
      } catch (Throwable e) {
        failure = e;
      }
    }

    void checkSucceeded() {
      if (failure != null) {
        throw new AssertionError("worker " + number, failure);
      }
    }
  }

  private void work(KvStore store) {
    int dice = random.nextInt(1000);
    if (dice < 450) {
      put(store);
    } else if (dice < 500) {
      delete(store);
    } else if (dice < 560) {
      batch(store);
    } else if (dice < 600) {
      exchange(store);
    } else if (dice < 985) {
      int key = random.nextInt(KEYS);
      check(store, key, values[key]);
    } else if (dice < 995) {
      int from = random.nextInt(KEYS);
      scan(store, from, Math.min(KEYS, from + 100), values);
    } else {
      snapshot(store);
    }
  }

  private Durability durability() {
    return random.nextInt(200) == 0 ? Durability.SYNC : Durability.OS;
  }

  /** A new value number, never 0. Its low digits give the length. */
  private long newValue() {
    int dice = random.nextInt(1000);
    int length = random.nextInt(
        dice < 700 ? SMALL_BYTES_MAX : dice < 998 ? LARGE_BYTES_MAX : HUGE_BYTES_MAX);
    return (long) (1 + random.nextInt(1 << 30)) * (HUGE_BYTES_MAX + 1) + length;
  }

  private void put(KvStore store) {
    int key = random.nextInt(KEYS);
    long value = newValue();
    store.put(key(key), value(value), durability());
    values[key] = value;
  }

  private void delete(KvStore store) {
    int key = random.nextInt(KEYS);
    store.delete(key(key), durability());
    values[key] = 0;
  }

  private void batch(KvStore store) {
    WriteBatch batch = new WriteBatch();
    int first = random.nextInt(KEYS - 10);
    long[] written = new long[1 + random.nextInt(10)];
    for (int i = 0; i < written.length; i++) {
      written[i] = random.nextInt(5) == 0 ? 0 : newValue();
      if (written[i] == 0) {
        batch.delete(store, key(first + i));
      } else {
        batch.put(store, key(first + i), value(written[i]));
      }
    }
    store.write(batch, durability());
    System.arraycopy(written, 0, values, first, written.length);
  }

  private void exchange(KvStore store) {
    int key = random.nextInt(KEYS);
    long value = newValue();
    if (!store.compareAndSet(key(key), value(values[key]), value(value), durability())) {
      throw new AssertionError("the value of " + key + " is not the last written value");
    }
    values[key] = value;
  }

  /** Writes while a snapshot is open, and compares the values that the snapshot reads. */
  private void snapshot(KvStore store) {
    try (Snapshot snapshot = store.snapshot()) {
      long[] then = values.clone();
      for (int i = 0; i < 20; i++) {
        put(store);
      }
      for (int i = 0; i < 20; i++) {
        int key = random.nextInt(KEYS);
        check(snapshot, key, then[key]);
      }
      int from = random.nextInt(KEYS);
      scan(snapshot, from, Math.min(KEYS, from + 50), then);
    }
  }

  /** Compares all keys. */
  void checkAll(KvStore store) {
    scan(store, 0, KEYS, values);
    for (int i = 0; i < KEYS; i++) {
      check(store, i, values[i]);
    }
  }

  private void check(KvReader reader, int key, long value) {
    if (!Arrays.equals(reader.get(key(key)), value(value))) {
      throw new AssertionError("a get of " + key + " does not return the written value");
    }
  }

  private void scan(KvReader reader, int from, int to, long[] expected) {
    int next = from;
    try (KvIterator entries = reader.scan(ScanOptions.range(key(from), key(to)))) {
      while (entries.next()) {
        int found = ByteBuffer.wrap(entries.key()).getInt(1);
        while (next < found) {
          checkAbsent(next++, expected);
        }
        if (!Arrays.equals(entries.value(), value(expected[next++]))) {
          throw new AssertionError("a scan has a wrong value of " + found);
        }
      }
    }
    while (next < to) {
      checkAbsent(next++, expected);
    }
  }

  private static void checkAbsent(int key, long[] expected) {
    if (expected[key] != 0) {
      throw new AssertionError("a scan does not have " + key);
    }
  }

  private byte[] key(int key) {
    return ByteBuffer.allocate(1 + Integer.BYTES).put((byte) number).putInt(key).array();
  }

  private static byte @Nullable [] value(long value) {
    if (value == 0) {
      return null;
    }
    byte[] bytes = new byte[(int) (value % (HUGE_BYTES_MAX + 1))];
    long state = value;
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (state >>> i % Long.SIZE);
    }
    return bytes;
  }
}
