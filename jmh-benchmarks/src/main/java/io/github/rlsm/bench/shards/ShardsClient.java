// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.shards;

import io.github.rlsm.bench.workload.Mix64;
import io.github.rlsm.bench.workload.Values;
import io.github.rlsm.kv.AsyncStore;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.ScanOptions;
import io.github.rlsm.kv.WriteBatch;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A client that does one kind of work until it is stopped. An asynchronous client has up to
 * {@value #WINDOW} calls in flight, and then waits for the oldest before its next call.
 *
 * <p>Threads: one; {@link #stop} may be called by any thread.
 */
final class ShardsClient {

  static final int KEY_BYTES = 16;

  private static final int WINDOW = 64;
  private static final int DIGITS = 3;
  private static final long LONGEST_NANOS = 100_000_000_000L;

  private final KvStore store;
  private final @Nullable AsyncStore async;
  private final Work work;
  private final int keys;
  private final int valueBytes;
  private final SplittableRandom random;
  private final Histogram nanos = new Histogram(LONGEST_NANOS, DIGITS);
  private final WriteBatch batch = new WriteBatch();
  private final @Nullable CompletableFuture<?>[] window = new CompletableFuture<?>[WINDOW];
  private volatile boolean stopped;
  private long operations;

  /**
   * Creates a client.
   *
   * @param async null for a client that waits for each call
   */
  ShardsClient(
      KvStore store,
      @Nullable AsyncStore async,
      Work work,
      int keys,
      int valueBytes,
      SplittableRandom random) {
    this.store = store;
    this.async = async;
    this.work = work;
    this.keys = keys;
    this.valueBytes = valueBytes;
    this.random = random;
  }

  void stop() {
    stopped = true;
  }

  /** The number of completed calls. */
  long operations() {
    return operations;
  }

  Histogram nanos() {
    return nanos;
  }

  void run() {
    if (async == null) {
      runWaiting();
    } else {
      runAhead(async);
    }
  }

  private void runWaiting() {
    long begin = System.nanoTime();
    while (!stopped) {
      call(work);
      long end = System.nanoTime();
      nanos.recordValue(Math.min(end - begin, LONGEST_NANOS));
      begin = end;
      operations++;
    }
  }

  private void runAhead(AsyncStore calls) {
    int at = 0;
    while (!stopped) {
      CompletableFuture<?> oldest = window[at];
      if (oldest != null) {
        oldest.join();
        operations++;
      }
      boolean puts = work == Work.PUT || (work == Work.MIXED && random.nextBoolean());
      window[at] = puts
          ? calls.put(key(random.nextInt(keys)), value(), Durability.OS).visible()
          : calls.get(key(random.nextInt(keys)));
      at = (at + 1) % WINDOW;
    }
    for (CompletableFuture<?> one : window) {
      if (one != null) {
        one.join();
        operations++;
      }
    }
  }

  private void call(Work kind) {
    switch (kind) {
      case PUT -> store.put(key(random.nextInt(keys)), value());
      case GET -> get();
      case MIXED -> call(random.nextBoolean() ? Work.PUT : Work.GET);
      case SCAN, SCAN_10, SCAN_30, SCAN_100, SCAN_300, SCAN_1000, SCAN_10000 ->
        scan(kind.entries());
      case BATCH -> batch(Durability.OS);
      case BATCH_SYNC -> batch(Durability.SYNC);
    }
  }

  private void get() {
    byte[] value = store.get(key(random.nextInt(keys)));
    if (value == null || value.length != valueBytes) {
      throw new IllegalStateException("an entry is missing or has a wrong length");
    }
  }

  private void scan(int count) {
    ScanOptions options =
        ScanOptions.builder().from(key(random.nextInt(keys))).limit(count).build();
    try (KvIterator entries = store.scan(options)) {
      while (entries.next()) {
        if (entries.key().length != KEY_BYTES || entries.value().length != valueBytes) {
          throw new IllegalStateException("a scan returned a wrong entry");
        }
      }
    }
  }

  private void batch(Durability durability) {
    batch.clear();
    for (int i = 0; i < Work.BATCH_PUTS; i++) {
      batch.put(key(random.nextInt(keys)), value());
    }
    store.write(batch, durability);
  }

  private byte[] value() {
    return value(random.nextLong(), valueBytes);
  }

  /** The key with that number. Keys of adjacent numbers are scattered over the key space. */
  static byte[] key(int id) {
    return ByteBuffer.allocate(KEY_BYTES).putLong(Mix64.mix(id)).putLong(id).array();
  }

  static byte[] value(long version, int bytes) {
    ByteBuffer value = ByteBuffer.allocate(bytes);
    Values.fill(value, bytes, version, version);
    return value.array();
  }
}
