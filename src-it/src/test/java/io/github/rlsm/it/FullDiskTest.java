// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.rlsm.Rlsm;
import io.github.rlsm.RlsmOptions;
import io.github.rlsm.kv.DiskFullException;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.KvException;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.StoreHealth;
import io.github.rlsm.kv.TestSeed;
import io.github.rlsm.proof.Proof;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * T6 of the test plan: fills real file systems. Writes fail with a typed error, reads continue, and
 * no acknowledged write is lost. The store accepts writes again once there is space, both without
 * and with a reopen.
 *
 * <p>{@code rlsm.t6.cycles} sets the number of cycles for each file system. A cycle fills it twice:
 * once with the store left open, once with the store opened again.
 */
class FullDiskTest {

  private static final int CYCLES = Proof.count("t6.cycles", 1);

  /** Cycles until a new store starts, so that a long run does not grow without bound. */
  private static final int CYCLES_OF_A_STORE = 10;

  /** Far longer than the longest pause between two retries of the store. */
  private static final int RESUME_SECONDS_MAX = 120;

  private static final int FIRST_BYTES = 4 << 20;
  private static final int MORE_BYTES = 2 << 20;

  @TempDir
  Path temporary;

  @ParameterizedTest
  @EnumSource(names = "BTRFS", mode = EnumSource.Mode.EXCLUDE) // see CopyOnWriteTest
  void writesFailUntilThereIsSpace(SmallDisk.Kind kind) throws Exception {
    long seed = TestSeed.get();
    Random random = new Random(seed);
    try (SmallDisk disk = SmallDisk.mount(temporary.resolve("disk"), kind)) {
      Path directory = disk.path().resolve("store");
      Load load = new Load(random);
      disk.leave(FIRST_BYTES);
      for (int cycle = 0; cycle < CYCLES; cycle++) {
        if (cycle % CYCLES_OF_A_STORE == 0) {
          CrashRun.deleteAll(directory);
          load = new Load(random);
          disk.leave(FIRST_BYTES);
        }
        fillAndResume(disk, directory, load);
        fill(directory, load);
        if (random.nextBoolean()) {
          openOnFullDisk(directory, load);
        }
        giveRoom(disk, random);
        reopen(directory, load);
      }
      Proof.ran("T6", "times that a disk ran full", 2L * CYCLES);
    } catch (AssertionError | KvException e) {
      throw new AssertionError(TestSeed.howToReplay(seed), e);
    }
  }

  private static void giveRoom(SmallDisk disk, Random random) throws Exception {
    disk.leave(disk.freeBytes() + MORE_BYTES + random.nextInt(MORE_BYTES));
  }

  /** The store accepts writes again once there is space, without a reopen. */
  private static void fillAndResume(SmallDisk disk, Path directory, Load load) throws Exception {
    try (KvStore store = Rlsm.open(directory, options())) {
      assertRefused(load.writeUntilRefused(store), directory);
      load.check(store);
      giveRoom(disk, load.random);
      if (load.random.nextInt(8) > 0) {
        store.resume(); // otherwise the store detects the space by itself, a little later
      }
      await(store);
      for (int i = 0; i < 200; i++) {
        load.write(store);
      }
      load.check(store);
    }
  }

  /** Waits until the store is healthy. */
  private static void await(KvStore store) {
    long start = System.nanoTime();
    while (!store.health().isHealthy()) {
      assertThat(store.health().state()).isNotEqualTo(StoreHealth.State.READ_ONLY);
      assertThat(System.nanoTime() - start)
          .as("nanoseconds, %s", store.health())
          .isLessThan(TimeUnit.SECONDS.toNanos(RESUME_SECONDS_MAX));
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** Writes until a write fails; then all data can still be read. */
  private static void fill(Path directory, Load load) {
    try (KvStore store = Rlsm.open(directory, options())) {
      assertRefused(load.writeUntilRefused(store), directory);
      Throwable again = catchThrowable(() -> load.write(store));
      if (again != null) { // otherwise background work has freed some space
        assertRefused(again, directory);
      }
      load.check(store);
    }
  }

  /** Opening the store before there is space fails in the same way, or succeeds. */
  private static void openOnFullDisk(Path directory, Load load) {
    Throwable refused = catchThrowable(() -> {
      try (KvStore store = Rlsm.open(directory, options())) {
        load.check(store);
      }
    });
    if (refused != null) {
      assertRefused(refused, directory);
    }
  }

  /** With space again, the store opens, has all data, and accepts writes. */
  private static void reopen(Path directory, Load load) {
    try (KvStore store = Rlsm.open(directory, options())) {
      load.settle(store);
      load.check(store);
      for (int i = 0; i < 20; i++) {
        load.write(store);
      }
      store.verify();
      load.check(store);
    }
  }

  private static void assertRefused(Throwable refused, Path directory) {
    assertThat(refused).isInstanceOf(DiskFullException.class);
    assertThat(refused).hasMessageContaining(directory.toString());
  }

  private static RlsmOptions options() {
    return RlsmOptions.builder()
        .memoryBudget(1 << 20)
        .logSegmentBytes(64 << 10)
        .partitionBytes(256 << 10)
        .build();
  }

  /** Random writes, and the content that the store must have afterwards. Threads: one. */
  private static final class Load {

    private static final int DELETED = -1;

    private final Random random;

    /** By key: the seed of its value, or {@link #DELETED}. */
    private final List<Integer> values = new ArrayList<>();

    /** By key: the value of a failed write. It may appear until the store is reopened. */
    private final Map<Integer, Integer> refused = new HashMap<>();

    private int writes;

    Load(Random random) {
      this.random = random;
    }

    Throwable writeUntilRefused(KvStore store) {
      Throwable failure = null;
      while (failure == null) {
        failure = catchThrowable(() -> write(store));
      }
      return failure;
    }

    /** Writes a new key most of the time; else overwrites or deletes one. */
    void write(KvStore store) {
      int key = random.nextInt(10) < 7 ? values.size() : random.nextInt(values.size() + 1);
      if (refused.containsKey(key)) {
        key = values.size();
      }
      boolean isNew = key == values.size();
      int value = !isNew && random.nextInt(3) == 0 ? DELETED : writes++;
      Durability durability = random.nextInt(50) == 0 ? Durability.SYNC : Durability.OS;
      if (isNew) {
        values.add(DELETED);
      }
      refused.put(key, value);
      if (value == DELETED) {
        store.delete(key(key), durability);
      } else {
        store.put(key(key), value(value), durability);
      }
      refused.remove(key);
      values.set(key, value);
    }

    /** After reopening: determines which failed writes were applied. */
    void settle(KvStore store) {
      refused.forEach((key, value) -> {
        if (Arrays.equals(store.get(key(key)), value(value))) {
          values.set(key, value);
        }
      });
      refused.clear();
    }

    void check(KvStore store) {
      NavigableMap<String, byte[]> scanned = new TreeMap<>();
      try (KvIterator all = store.scan()) {
        while (all.next()) {
          scanned.put(new String(all.key(), US_ASCII), all.value());
        }
      }
      for (int key = 0; key < values.size(); key++) {
        byte[] expected = value(values.get(key));
        byte[] found = store.get(key(key));
        if (refused.containsKey(key) && !Arrays.equals(found, expected)) {
          expected = value(refused.get(key));
        }
        assertThat(found).as("key %d of %d", key, values.size()).isEqualTo(expected);
        assertThat(scanned.remove(String.valueOf(key))).as("scanned %d", key).isEqualTo(expected);
      }
      assertThat(scanned).isEmpty();
    }

    private static byte[] key(int number) {
      return String.valueOf(number).getBytes(US_ASCII);
    }

    private static byte @Nullable [] value(int seed) {
      if (seed == DELETED) {
        return null;
      }
      byte[] value = new byte[1 + seed % 11 * (seed % 3 == 0 ? 300 : 10)];
      new Random(seed).nextBytes(value);
      return value;
    }
  }
}
