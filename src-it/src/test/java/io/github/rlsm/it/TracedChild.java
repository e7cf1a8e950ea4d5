// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.rlsm.RlsmOptions;
import io.github.rlsm.RlsmStore;
import io.github.rlsm.kv.Durability;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The reference workload whose system calls are traced. Says on its standard error, one system call
 * each, what it is about to do and what has been acknowledged.
 */
final class TracedChild {

  static final int SYNC_WRITES = 30;
  static final int FLUSHES = 6;
  static final String BEGIN = "begin ";
  static final String ACKNOWLEDGED = "acknowledged ";
  static final String FLUSHING = "flushing";
  static final String FLUSHED = "flushed";

  private static final FileOutputStream SAYINGS = new FileOutputStream(FileDescriptor.err);

  private TracedChild() {}

  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[0]);
    // First hardly any compaction, then nothing else.
    try (RlsmStore store = RlsmStore.open(directory, options(1000))) {
      for (int i = 0; i < SYNC_WRITES; i++) {
        say(BEGIN + i);
        store.put(key(i), new byte[i % 3 * 600], Durability.SYNC);
        say(ACKNOWLEDGED + i);
      }
      for (int i = 0; i < FLUSHES; i++) {
        for (int j = 0; j < 20; j++) {
          store.put(key(j), new byte[j % 2 * 700 + i], Durability.OS);
        }
        say(FLUSHING);
        store.flush();
        say(FLUSHED);
      }
    }
    try (RlsmStore store = RlsmStore.open(directory, options(0))) {
      store.settle();
      store.verify();
    }
  }

  private static RlsmOptions options(int l0Trigger) {
    return RlsmOptions.builder()
        .memoryBudget(1 << 20)
        .logSegmentBytes(64 << 10)
        .separationThreshold(500)
        .l0Trigger(l0Trigger)
        .backgroundThreads(1)
        .build();
  }

  private static byte[] key(int number) {
    return ("key " + number).getBytes(US_ASCII);
  }

  private static void say(String what) throws IOException {
    SAYINGS.write((what + "\n").getBytes(US_ASCII));
  }
}
