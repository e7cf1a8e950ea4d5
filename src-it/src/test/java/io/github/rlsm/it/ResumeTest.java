// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.Rlsm;
import io.github.rlsm.RlsmOptions;
import io.github.rlsm.kv.DiskFullException;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.StoreHealth.State;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fills a real disk under an open store and frees space again, without reopening the store. */
class ResumeTest {

  private static final int ROUNDS = 4;

  @TempDir
  Path temporary;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void storeResumesWhenDiskHasSpace(boolean asked) throws Exception {
    Path directory = temporary.resolve("disk/store");
    int bytes = 8 << 20;
    try (SmallDisk disk = SmallDisk.mount(temporary.resolve("disk"), SmallDisk.Kind.TMPFS)) {
      disk.remount("size=" + bytes);
      int acknowledged = 0;
      try (KvStore store = Rlsm.open(directory, options())) {
        for (int round = 0; round < ROUNDS; round++) {
          int before = acknowledged;
          acknowledged = putUntilRefused(store, before);
          assertThat(acknowledged).isGreaterThan(before);
          check(store, acknowledged);
          bytes += 6 << 20;
          disk.remount("size=" + bytes);
          if (asked) {
            store.resume();
          }
          while (!store.health().isHealthy()) {
            // The timer has not detected the free space yet.
            assertThat(store.health().state()).isNotEqualTo(State.READ_ONLY);
          }
        }
        disk.remount("size=" + 2 * bytes);
        store.resume();
        store.flush();
        store.settle();
        store.verify();
        check(store, acknowledged);
        assertThat(store.stats().failures().degraded()).isPositive();
        assertThat(store.stats().failures().readOnly()).isZero();
      }
      try (KvStore store = Rlsm.open(directory, options())) {
        check(store, acknowledged);
      }
    }
  }

  private static int putUntilRefused(KvStore store, int from) {
    int number = from;
    try {
      while (true) {
        Durability durability = number % 50 == 0 ? Durability.SYNC : Durability.OS;
        store.put(key(number), value(number), durability);
        number++;
      }
    } catch (DiskFullException e) {
      return number;
    }
  }

  private static void check(KvStore store, int acknowledged) {
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
