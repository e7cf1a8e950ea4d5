// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.rlsm.Rlsm;
import io.github.rlsm.RlsmOptions;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.Snapshot;
import io.github.rlsm.kv.StoreClosedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A close is prompt, and leaves no thread, descriptor or mapping behind. */
@EnabledOnOs(OS.LINUX)
class LeftoversTest {

  private static final int CYCLES = Integer.getInteger("rlsm.cycles", 200);
  private static final int WRITERS = 8;

  /** Far more than a close takes, so that only a hanging close fails on a busy machine. */
  private static final int CLOSE_SECONDS_MAX = 20;

  @TempDir
  Path temporary;

  @Test
  void manyCyclesLeaveNothing() throws IOException {
    Path directory = temporary.resolve("store");
    Random random = new Random(1);
    for (int i = 0; i < CYCLES; i++) {
      KvStore store = Rlsm.open(directory, options());
      for (int j = 0; j < 100; j++) {
        byte[] value = new byte[random.nextInt(2000)];
        store.put(new byte[] {(byte) random.nextInt(100), 1}, value);
      }
      if (i % 3 == 0) {
        store.settle();
      }
      Snapshot snapshot = store.snapshot();
      KvIterator iterator = store.scan();
      iterator.next();
      store.close();
      if (i % 2 == 0) {
        iterator.close();
        snapshot.close();
      }
    }
    assertNothingLeft(directory);
  }

  @Test
  void refusedOpensLeaveNothing() throws IOException {
    Path directory = temporary.resolve("store");
    Rlsm.open(directory, options()).close();
    Path current = directory.resolve("CURRENT");
    byte[] marker = Files.readAllBytes(current);
    marker[20] ^= 1;
    Files.write(current, marker);
    for (int i = 0; i < 20; i++) {
      assertThat(catchThrowable(() -> Rlsm.open(directory, options()))).isNotNull();
    }
    assertNothingLeft(directory);
  }

  @Test
  void closeUnderLoadIsPrompt() throws Exception {
    Path directory = temporary.resolve("store");
    KvStore store = Rlsm.open(directory, options());
    CountDownLatch warm = new CountDownLatch(WRITERS * 3000);
    AtomicReference<Throwable> unexpected = new AtomicReference<>();
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      int number = i;
      Thread writer = new Thread(() -> writeUntilClosed(store, number, warm, unexpected), "writer");
      writers.add(writer);
      writer.start();
    }
    warm.await();
    long start = System.nanoTime();
    store.close();
    long nanos = System.nanoTime() - start;
    for (Thread writer : writers) {
      writer.join();
    }
    assertThat(unexpected.get()).isNull();
    System.out.println(
        getClass().getSimpleName() + ": closed under load in " + nanos / 1_000_000 + " ms");
    assertThat(nanos).isLessThan(TimeUnit.SECONDS.toNanos(CLOSE_SECONDS_MAX));
    assertNothingLeft(directory);
    Rlsm.open(directory, options()).close();
  }

  private static void writeUntilClosed(
      KvStore store, int number, CountDownLatch warm, AtomicReference<Throwable> unexpected) {
    Random random = new Random(number);
    byte[] key = new byte[8];
    try {
      while (true) {
        random.nextBytes(key);
        store.put(key, new byte[random.nextInt(700)]);
        store.get(key);
        warm.countDown();
      }
    } catch (StoreClosedException e) {
      return;
    } catch (RuntimeException | Error e) {
      unexpected.set(e);
    }
    while (warm.getCount() > 0) {
      warm.countDown();
    }
  }

  private static void assertNothingLeft(Path directory) throws IOException {
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> thread.getName().startsWith("rlsm-"))
        .isEmpty();
    assertThat(Files.readAllLines(Path.of("/proc/self/maps")))
        .filteredOn(line -> line.contains(directory.toString()))
        .isEmpty();
    assertThat(descriptors())
        .filteredOn(target -> target.contains(directory.toString()))
        .isEmpty();
  }

  /** The targets of the open descriptors. */
  private static List<String> descriptors() throws IOException {
    List<String> targets = new ArrayList<>();
    try (Stream<Path> links = Files.list(Path.of("/proc/self/fd"))) {
      for (Path link : links.toList()) {
        try {
          targets.add(Files.readSymbolicLink(link).toString());
        } catch (NoSuchFileException e) {
          assertThat(link).as("the descriptor of the listing itself").doesNotExist();
        }
      }
    }
    return targets;
  }

  private static RlsmOptions options() {
    return RlsmOptions.builder()
        .memoryBudget(2 << 20)
        .logSegmentBytes(64 << 10)
        .partitionBytes(128 << 10)
        .l0Trigger(1)
        .backgroundThreads(2)
        .build();
  }
}
