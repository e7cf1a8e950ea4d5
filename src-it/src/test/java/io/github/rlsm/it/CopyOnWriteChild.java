// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.rlsm.Rlsm;
import io.github.rlsm.RlsmOptions;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.kv.StoreIoException;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.TreeMap;

/**
 * Fills the disk of an open store until a write fails, then reads everything back, in several
 * cycles. Reports the number of values read in each cycle.
 */
final class CopyOnWriteChild {

  private static final int KEYS = 2000;

  private final Random random;
  private final TreeMap<String, byte[]> expected = new TreeMap<>();

  private CopyOnWriteChild(long seed) {
    random = new Random(seed);
  }

  /** Arguments: the mount point, a seed, and the number of cycles. */
  public static void main(String[] arguments) throws IOException {
    CopyOnWriteChild child = new CopyOnWriteChild(Long.parseLong(arguments[1]));
    DataOutputStream reports = new DataOutputStream(System.out);
    for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
      reports.writeLong(child.cycle(Path.of(arguments[0])));
      reports.flush();
    }
  }

  private long cycle(Path disk) throws IOException {
    RlsmOptions options =
        RlsmOptions.builder().logSegmentBytes(1 << 20).memoryBudget(16 << 20).build();
    Path ballast = disk.resolve("ballast");
    try (KvStore store = Rlsm.open(disk.resolve("store"), options)) {
      check(store);
      for (int i = 0; i < KEYS; i++) {
        put(store);
      }
      fill(ballast);
      try {
        while (true) {
          put(store);
        }
      } catch (StoreIoException | StoreFailedException e) {
        // This put failed, or background work failed before it.
        check(store);
      }
    } finally {
      Files.delete(ballast);
    }
    return expected.size();
  }

  private void put(KvStore store) {
    String key = "key" + random.nextInt(KEYS);
    byte[] value = new byte[random.nextInt(10) == 0 ? 3000 : random.nextInt(200)];
    random.nextBytes(value);
    expected.remove(key); // a failed write may have been applied
    store.put(key.getBytes(US_ASCII), value);
    expected.put(key, value);
  }

  private void check(KvStore store) {
    expected.forEach((key, value) -> {
      if (!Arrays.equals(value, store.get(key.getBytes(US_ASCII)))) {
        throw new AssertionError("wrong value of " + key);
      }
    });
  }

  /** Writes until the disk is full. */
  private static void fill(Path ballast) throws IOException {
    byte[] piece = new byte[1 << 16];
    try (OutputStream file = Files.newOutputStream(ballast)) {
      while (true) {
        file.write(piece);
      }
    } catch (IOException e) {
      if (!String.valueOf(e.getMessage()).contains("No space left")) {
        throw e;
      }
    }
  }
}
