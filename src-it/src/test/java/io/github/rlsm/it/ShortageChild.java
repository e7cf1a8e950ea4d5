// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import io.github.rlsm.Rlsm;
import io.github.rlsm.RlsmOptions;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.kv.ResourceExhaustedException.Resource;
import io.github.rlsm.kv.StoreHealth;
import io.github.rlsm.kv.StoreHealth.State;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

/**
 * Exhausts a resource of its process under a store, twice, and frees it again. If the store was
 * degraded during the shortage and lost no data, the process ends with 0 and reports the number of
 * acknowledged writes.
 */
final class ShortageChild {

  /** Exhausts a resource. Closing the returned object frees it. */
  private enum Taker {
    DESCRIPTORS(Resource.FILE_DESCRIPTORS) {
      @Override
      Closeable takeAll() {
        Deque<InputStream> taken = new ArrayDeque<>();
        try {
          while (true) {
            taken.push(new FileInputStream("/dev/null"));
          }
        } catch (IOException e) {
          return () -> { // too many open files
            while (!taken.isEmpty()) {
              taken.pop().close();
            }
          };
        }
      }
    },
    DIRECT_MEMORY(Resource.MEMORY) {
      @Override
      Closeable takeAll() {
        Deque<ByteBuffer> taken = new ArrayDeque<>();
        exhaust(bytes -> taken.push(ByteBuffer.allocateDirect(bytes)));
        // On newer JDKs, Netty counts its direct memory apart from the JDK.
        Deque<ByteBuf> ofNetty = new ArrayDeque<>();
        exhaust(bytes -> ofNetty.push(UnpooledByteBufAllocator.DEFAULT.directBuffer(bytes, bytes)));
        return () -> {
          while (!taken.isEmpty()) { // the JVM collects them when it needs direct memory
            taken.pop();
          }
          ofNetty.forEach(ByteBuf::release);
        };
      }
    };

    /** Allocates large buffers and then small ones, until there is no memory. */
    private static void exhaust(IntConsumer allocate) {
      for (int bytes : new int[] {1 << 20, 4 << 10}) {
        try {
          while (true) {
            allocate.accept(bytes);
          }
        } catch (OutOfMemoryError e) {
          // Space for smaller buffers may be left.
        }
      }
    }

    private final Resource resource;

    Taker(Resource resource) {
      this.resource = resource;
    }

    abstract Closeable takeAll();
  }

  private static final int TAKES_MAX = 200;
  private static final int WRITES_BETWEEN_TAKES = 500;

  private ShortageChild() {}

  /** Runs with the store's directory and the name of the resource as arguments. */
  public static void main(String[] arguments) throws Exception {
    loadAll(Rlsm.class);
    loadAll(KvStore.class);
    int acknowledged = 0;
    Path directory = Path.of(arguments[0]);
    Taker taker = Taker.valueOf(arguments[1]);
    try (KvStore store = Rlsm.open(directory, options(0))) {
      for (int i = 0; i < 2000; i++) {
        put(store, acknowledged++);
      }
      for (int round = 0; round < 2; round++) {
        Deque<Closeable> taken = new ArrayDeque<>();
        acknowledged = putUntilDegraded(store, acknowledged, taker, taken);
        for (Closeable part : taken) {
          part.close();
        }
        if (round == 0) {
          store.resume();
        }
        while (!store.health().isHealthy()) {
          StoreHealth health = store.health(); // the timer has not detected the resource yet
          check(health.state() != State.READ_ONLY, "read-only: " + health);
        }
        for (int i = 0; i < 2000; i++) {
          put(store, acknowledged++);
        }
      }
      store.settle();
      store.verify();
      checkAll(store, acknowledged);
    }
    try (KvStore store = Rlsm.open(directory, options(0))) {
      checkAll(store, acknowledged);
    }
    new DataOutputStream(new FileOutputStream(FileDescriptor.out)).writeLong(acknowledged);
  }

  /** Loads all classes of one folder, since the class loader would need descriptors later. */
  private static void loadAll(Class<?> one) throws Exception {
    Path root = Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (!Files.isDirectory(root)) {
      return; // a jar stays open
    }
    try (Stream<Path> files = Files.walk(root)) {
      List<String> names = files
          .map(file -> root.relativize(file).toString().replace('/', '.'))
          .filter(name -> name.startsWith("io.github.rlsm.") && name.endsWith(".class"))
          .map(name -> name.substring(0, name.length() - ".class".length()))
          .filter(name -> !name.endsWith("package-info"))
          .toList();
      for (String name : names) {
        try {
          Class.forName(name);
        } catch (LinkageError e) {
          // The class needs a missing library, so the test does not use it.
        }
      }
    }
  }

  /**
   * Writes until a write is refused and the store is degraded. Repeatedly takes what the store
   * frees meanwhile, such as the descriptors of merged tables. With a few of them the store could
   * write without end, or be healthy again before its state is read.
   *
   * @return the number of the first write that is not acknowledged
   */
  private static int putUntilDegraded(
      KvStore store, int from, Taker taker, Deque<Closeable> taken) {
    int number = from;
    long degraded = store.stats().failures().degraded();
    for (int take = 0; take < TAKES_MAX; take++) {
      taken.push(taker.takeAll());
      try {
        for (int i = 0; i < WRITES_BETWEEN_TAKES; i++) {
          put(store, number);
          number++;
        }
      } catch (ResourceExhaustedException e) {
        check(e.resource() == taker.resource, "another resource: " + e);
        long degradedNow = store.stats().failures().degraded();
        check(degradedNow > degraded, "refused by a store that was healthy: " + e);
        degraded = degradedNow;
        if (store.health().state() == State.DEGRADED) {
          return number;
        }
      }
    }
    throw new AssertionError("never degraded: " + store.health());
  }

  private static void put(KvStore store, int number) {
    store.put(key(number), value(number), number % 500 == 0 ? Durability.SYNC : Durability.OS);
  }

  private static void checkAll(KvStore store, int acknowledged) {
    for (int i = 0; i < acknowledged; i++) {
      check(Arrays.equals(store.get(key(i)), value(i)), "key " + i + " is lost");
    }
  }

  static void check(boolean right, String problem) {
    if (!right) {
      throw new AssertionError(problem);
    }
  }

  static byte[] key(int number) {
    return String.valueOf(number).getBytes(StandardCharsets.US_ASCII);
  }

  static byte[] value(int number) {
    byte[] value = new byte[1 + number % 11 * (number % 3 == 0 ? 300 : 10)];
    new Random(number).nextBytes(value);
    return value;
  }

  static RlsmOptions options(int shards) {
    return RlsmOptions.builder()
        .shards(shards)
        .memoryBudget(1 << 20)
        .logSegmentBytes(64 << 10)
        .partitionBytes(256 << 10)
        .build();
  }
}
