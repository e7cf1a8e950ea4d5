// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.Rlsm;
import io.github.rlsm.RlsmOptions;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.KvException;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.kv.TestSeed;
import io.github.rlsm.proof.Proof;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * T6 of the test plan: a real fsync fails, on a device with less space than the file system has
 * promised. The store is closed, the cause is repaired, and the store is opened again. Then all
 * data that a {@code SYNC} write promises must be on the device, not only in the page cache.
 *
 * <p>{@code rlsm.t6.forces} sets the number of failures on each file system.
 */
class FailedForceTest {

  private static final int CYCLES = Proof.count("t6.forces", 2);
  private static final int WRITES_MAX = 20_000;

  @TempDir
  Path temporary;

  private int written;
  private int durable;

  @ParameterizedTest
  @EnumSource
  void promisesAfterFailedForceAreDurable(ThinDisk.Kind kind) throws Exception {
    long seed = TestSeed.get();
    Random random = new Random(seed);
    int failed = 0;
    for (int cycle = 0; cycle < CYCLES; cycle++) {
      written = 0;
      durable = 0;
      Path below = Files.createDirectories(temporary.resolve("cycle" + cycle));
      try (ThinDisk disk = ThinDisk.mount(below, kind)) {
        Path directory = disk.path().resolve("store");
        failed += failForce(disk, directory, random) ? 1 : 0;
        if (!isWritable(disk.path())) {
          disk.remount(); // the file system has failed; drop the page cache
        }
        int found = reopen(directory);
        disk.remount();
        try (KvStore store = Rlsm.open(directory, options())) {
          check(store, found);
          store.verify();
        }
      } catch (AssertionError | KvException e) {
        throw new AssertionError(kind + ", " + TestSeed.howToReplay(seed), e);
      }
    }
    assertThat(failed).isEqualTo(CYCLES);
    Proof.ran("T6", "failed forces", failed);
  }

  /** Writes until the device fails a force, and closes the store. Returns whether it failed. */
  private boolean failForce(ThinDisk disk, Path directory, Random random) throws IOException {
    boolean failed = false;
    try (KvStore store = Rlsm.open(directory, options())) {
      int before = random.nextInt(100);
      while (written < before) {
        put(store, Durability.OS);
      }
      store.sync();
      durable = written;
      disk.fill();
      while (written < WRITES_MAX) {
        boolean sync = random.nextInt(10) == 0;
        put(store, sync ? Durability.SYNC : Durability.OS);
        durable = sync ? written : durable;
      }
    } catch (StoreIoException | StoreFailedException e) {
      failed = true;
    } finally {
      disk.drain();
    }
    return failed;
  }

  private void put(KvStore store, Durability durability) {
    store.put(key(written), value(written), durability);
    written++;
  }

  private static boolean isWritable(Path disk) {
    try {
      Files.delete(Files.createTempFile(disk, "probe", ""));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Opens the store, and makes its writes durable with a {@code SYNC} write. Returns the number of
   * writes.
   */
  private int reopen(Path directory) {
    try (KvStore store = openAfterFailure(directory)) {
      int found = 0;
      while (store.get(key(found)) != null) {
        found++;
      }
      assertThat(found).as("durable writes").isGreaterThanOrEqualTo(durable);
      check(store, found);
      store.put(key(WRITES_MAX), value(WRITES_MAX), Durability.SYNC);
      return found;
    }
  }

  /**
   * Opens the store, with a retry: the kernel reports a failed write-back to the next process that
   * forces.
   */
  private static KvStore openAfterFailure(Path directory) {
    try {
      return Rlsm.open(directory, options());
    } catch (StoreIoException e) {
      return Rlsm.open(directory, options());
    }
  }

  private static void check(KvStore store, int count) {
    for (int i = 0; i < count; i++) {
      assertThat(store.get(key(i))).as("key %d of %d", i, count).isEqualTo(value(i));
    }
  }

  private static byte[] key(int number) {
    return String.valueOf(number).getBytes(US_ASCII);
  }

  private static byte[] value(int number) {
    byte[] value = new byte[number % 3 == 0 ? 3_000 : 50];
    new Random(number).nextBytes(value);
    return value;
  }

  private static RlsmOptions options() {
    return RlsmOptions.builder()
        .memoryBudget(16 << 20)
        .logSegmentBytes(4 << 20)
        .separationThreshold(1_000)
        .build();
  }
}
