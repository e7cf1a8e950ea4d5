// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.rlsm.RlsmOptions;
import io.github.rlsm.RlsmStore;
import io.github.rlsm.kv.DiskFullException;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.KvException;
import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.kv.TestSeed;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that runs full: writes are refused clearly, nothing acknowledged is lost. */
class FullDiskTest {

  private static final int ROUNDS = 5;

  @TempDir
  Path temporary;

  @Test
  void writesAreRefusedUntilThereIsRoom() throws Exception {
    long seed = TestSeed.get();
    Random random = new Random(seed);
    Path directory = temporary.resolve("disk/store");
    int bytes = 8 << 20;
    try (SmallDisk disk = SmallDisk.mount(temporary.resolve("disk"), String.valueOf(bytes))) {
      int acknowledged = 0;
      for (int round = 0; round < ROUNDS; round++) {
        try (RlsmStore store = RlsmStore.open(directory, options())) {
          check(store, acknowledged);
          acknowledged = fill(store, acknowledged, random);
          check(store, acknowledged);
        }
        bytes += (4 << 20) + random.nextInt(4 << 20);
        disk.remount("size=" + bytes);
      }
      try (RlsmStore store = RlsmStore.open(directory, options())) {
        check(store, acknowledged);
        store.settle();
        store.verify();
        check(store, acknowledged);
      }
    } catch (AssertionError | KvException e) {
      throw new AssertionError(TestSeed.howToReplay(seed), e);
    }
  }

  /** Writes until that fails, and once more; returns how many writes were acknowledged in all. */
  private static int fill(RlsmStore store, int from, Random random) {
    int next = from;
    Throwable refused = null;
    while (refused == null) {
      int number = next;
      Durability durability = random.nextInt(50) == 0 ? Durability.SYNC : Durability.OS;
      refused = catchThrowable(() -> store.put(key(number), value(number), durability));
      next += refused == null ? 1 : 0;
    }
    assertSaysDiskFull(refused);
    int last = next;
    Throwable again = catchThrowable(() -> store.put(key(last), value(last)));
    if (again == null) {
      next++; // the background has freed some
    } else {
      assertSaysDiskFull(again);
    }
    return next;
  }

  private static void assertSaysDiskFull(Throwable refused) {
    Throwable full = refused instanceof StoreFailedException ? refused.getCause() : refused;
    assertThat(full).isInstanceOf(DiskFullException.class);
    assertThat(full).hasMessageContaining("store");
  }

  private static void check(RlsmStore store, int acknowledged) {
    for (int i = 0; i < acknowledged; i++) {
      assertThat(store.get(key(i))).as("key %d of %d", i, acknowledged).isEqualTo(value(i));
    }
  }

  private static byte[] key(int number) {
    return String.valueOf(number).getBytes(US_ASCII);
  }

  private static byte[] value(int number) {
    byte[] value = new byte[1 + number % 11 * (number % 3 == 0 ? 300 : 10)];
    new Random(number).nextBytes(value);
    return value;
  }

  private static RlsmOptions options() {
    return RlsmOptions.builder()
        .memoryBudget(1 << 20)
        .logSegmentBytes(64 << 10)
        .partitionBytes(256 << 10)
        .build();
  }
}
