// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import io.github.rlsm.it.Operation.Change;
import io.github.rlsm.it.Operation.Kind;
import io.github.rlsm.kv.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The writes of one thread: an endless list of operations derived from its seed and number. The
 * child that writes them and the parent that checks them derive the same list. Threads share no
 * key.
 */
final class History {

  static final int KEYS = 400;
  private static final int LARGE_BYTES_MAX = 4_000;
  private static final int HUGE_BYTES_MAX = 60_000;

  private final long seed;
  private final int thread;

  History(long seed, int thread) {
    this.seed = seed;
    this.thread = thread;
  }

  /** The operation with that number, starting at 0. */
  Operation at(long number) {
    SplittableRandom random = new SplittableRandom(
        seed ^ (thread + 1) * 0x9E3779B97F4A7C15L ^ number * 0xD1B54A32D192ED03L);
    Durability durability = durability(random.nextInt(100));
    int dice = random.nextInt(100);
    if (dice < 12) {
      List<Change> changes = new ArrayList<>();
      for (int i = random.nextInt(2, 12); i > 0; i--) {
        changes.add(change(random, random.nextInt(100) < 20));
      }
      return new Operation(Kind.BATCH, durability, changes);
    }
    Kind kind = dice < 20 ? Kind.EXCHANGE : dice < 26 ? Kind.IF_ABSENT : Kind.PLAIN;
    boolean deletes = kind != Kind.IF_ABSENT && random.nextInt(100) < 20;
    return new Operation(kind, durability, List.of(change(random, deletes)));
  }

  private static Durability durability(int dice) {
    return dice < 5 ? Durability.SYNC : dice < 15 ? Durability.BUFFERED : Durability.OS;
  }

  private Change change(SplittableRandom random, boolean deletes) {
    Entry entry = Entry.of(random.nextInt(2), thread, random.nextInt(KEYS));
    return new Change(entry, deletes ? null : value(random));
  }

  private static byte[] value(SplittableRandom random) {
    int dice = random.nextInt(1000);
    int length = dice < 700
        ? random.nextInt(100)
        : random.nextInt(dice < 998 ? LARGE_BYTES_MAX : HUGE_BYTES_MAX);
    byte[] value = new byte[length];
    random.nextBytes(value);
    return value;
  }
}
