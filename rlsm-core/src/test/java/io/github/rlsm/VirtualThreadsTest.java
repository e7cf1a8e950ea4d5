// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.ScanOptions;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a store that is called by many virtual threads, each of which makes one call. */
class VirtualThreadsTest {

  private static final int THREADS = 4_000;

  /** Threads that live at the same time. */
  private static final int AT_ONCE = 50;

  /** A record of this length is written by a system call, out of a direct buffer. */
  private static final int VALUE_BYTES = 6_000;

  @TempDir
  private Path directory;

  @BeforeEach
  void needVirtualThreads() {
    assumeTrue(Runtime.version().feature() >= 21, "virtual threads came with Java 21");
  }

  private static byte[] key(int i) {
    return ByteBuffer.allocate(4).putInt(i).array();
  }

  private static byte[] value(int i) {
    byte[] value = new byte[VALUE_BYTES];
    value[i % VALUE_BYTES] = (byte) (1 + i / VALUE_BYTES);
    return value;
  }

  private static long directBuffers() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getCount)
        .sum();
  }

  /** Calls {@code work} with each number, each time in another virtual thread. */
  private static void inVirtualThreads(IntConsumer work) throws Exception {
    Semaphore permits = new Semaphore(AT_ONCE);
    // By reflection, because this code is compiled for Java 17.
    ExecutorService threads = (ExecutorService)
        Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    try {
      List<Future<?>> calls = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int number = i;
        permits.acquire();
        calls.add(threads.submit(() -> {
          try {
            work.accept(number);
          } finally {
            permits.release();
          }
        }));
      }
      for (Future<?> call : calls) {
        call.get();
      }
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void virtualThreadsShareBuffers() throws Exception {
    try (KvStore store = Rlsm.open(directory)) {
      long before = directBuffers();
      inVirtualThreads(i -> store.put(key(i), value(i)));
      assertThat(directBuffers() - before).isLessThanOrEqualTo(2 * AT_ONCE);
      inVirtualThreads(i -> assertThat(store.get(key(i))).isEqualTo(value(i)));
      inVirtualThreads(i -> {
        try (KvIterator found = store.scan(ScanOptions.range(key(i), key(i + 1)))) {
          assertThat(found.next()).isTrue();
          assertThat(found.value()).isEqualTo(value(i));
          assertThat(found.next()).isFalse();
        }
      });
      assertThat(directBuffers() - before).isLessThanOrEqualTo(2 * AT_ONCE);
    }
  }

  @Test
  void virtualThreadsCompareAndSetAndDelete() throws Exception {
    try (KvStore store = Rlsm.open(directory)) {
      inVirtualThreads(i -> assertThat(store.putIfAbsent(key(i), value(i))).isNull());
      inVirtualThreads(i -> assertThat(
              store.compareAndSet(key(i), value(i), i % 2 == 0 ? value(i + 1) : null))
          .isTrue());
      inVirtualThreads(i -> {
        assertThat(store.get(key(i))).isEqualTo(i % 2 == 0 ? value(i + 1) : null);
        store.delete(key(i));
      });
      inVirtualThreads(i -> assertThat(store.get(key(i))).isNull());
    }
  }
}
