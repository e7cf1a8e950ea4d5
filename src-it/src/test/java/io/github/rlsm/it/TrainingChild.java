// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import io.github.rlsm.HaltingStore;
import io.github.rlsm.RlsmOptions;
import io.github.rlsm.kv.KvStore;
import java.nio.file.Path;
import java.util.Random;

/**
 * Loads the classes that a {@link HistoryChild} loads: writes short histories into some stores of
 * different shapes, and exits.
 */
final class TrainingChild {

  private static final int STORES = 4;
  private static final int OPERATIONS = 300;
  private static final long NEVER = Long.MAX_VALUE;

  private TrainingChild() {}

  public static void main(String[] arguments) {
    Path directory = Path.of(arguments[0]);
    Random random = new Random(1);
    for (int i = 0; i < STORES; i++) {
      RlsmOptions options = RandomOptions.parse(RandomOptions.format(RandomOptions.draw(random)));
      HaltingStore files = new HaltingStore(NEVER, i, directory.resolve("forced" + i));
      Path store = directory.resolve("store" + i);
      // Opened twice, because recovery needs more classes.
      for (int opened = 0; opened < 2; opened++) {
        try (KvStore open =
            i == 0 ? files.openSharded(store, options, 2) : files.open(store, options)) {
          write(CrashStore.of(open), (long) opened * OPERATIONS);
        }
      }
    }
    Runtime.getRuntime().exit(0);
  }

  private static void write(CrashStore store, long first) {
    History history = new History(1, 0);
    for (long number = first; number < first + OPERATIONS; number++) {
      history.at(number).write(store);
    }
  }
}
