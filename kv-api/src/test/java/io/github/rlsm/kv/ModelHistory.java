// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import io.github.rlsm.kv.StoreFactory.Crash;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The writes of a {@link ModelStore} that a crash may roll back, with the values that they
 * replaced.
 *
 * <p>The keys of a store belong to one or more parts, for example its shards. A crash leaves each
 * part in the state after one of its writes. Every write that was promised to survive is in that
 * state. A write to several parts is in all of them or in none.
 *
 * <p>Threads: guarded by the monitor of the store.
 */
final class ModelHistory {

  /** The value that a key had before a write changed it; null if the key was absent. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Replaced(ModelMap map, byte[] key, byte @Nullable [] value) {}

  /**
   * A write: the values that it replaced, by part. A part that rolled the write back is removed.
   */
  private record Write(Map<Integer, List<Replaced>> parts) {}

  private final ToIntFunction<byte[]> partOf;
  private final Map<Crash, Map<Integer, Integer>> safe = new TreeMap<>();
  private List<Write> writes = new ArrayList<>();

  /** Creates an empty history. The function maps each key to its part. */
  ModelHistory(ToIntFunction<byte[]> partOf) {
    this.partOf = partOf;
    allSafe();
  }

  /** Begins a write. */
  void begin() {
    writes.add(new Write(new TreeMap<>()));
  }

  /** Adds a change to the last write. */
  void replaced(ModelMap map, byte[] key, byte @Nullable [] value) {
    last()
        .parts
        .computeIfAbsent(partOf.applyAsInt(key), part -> new ArrayList<>())
        .add(new Replaced(map, key, value));
  }

  /** Notes that the last write was acknowledged: it and all earlier writes to its parts survive. */
  void acknowledged(Durability durability) {
    for (int part : last().parts.keySet()) {
      if (durability != Durability.BUFFERED) {
        safe(Crash.KILL).put(part, writes.size());
      }
      if (durability == Durability.SYNC) {
        safe(Crash.POWER_LOSS).put(part, writes.size());
      }
    }
  }

  /** Notes that all writes so far survive. */
  void allSafe() {
    writes = new ArrayList<>();
    for (Crash crash : Crash.values()) {
      safe.put(crash, new TreeMap<>());
    }
  }

  private Write last() {
    return writes.get(writes.size() - 1);
  }

  private Map<Integer, Integer> safe(Crash crash) {
    return safe.getOrDefault(crash, Map.of());
  }

  /**
   * Rolls back the fewest writes that explain the content after a crash, the newest first. If this
   * fails, no other choice succeeds. A write is rolled back only if the content found in its part,
   * or in another part of the same batch, excludes it.
   *
   * @param parts how many parts the store has
   * @param fits whether the model now holds the content found in a part
   * @throws AssertionError if the crash may not leave the content found
   */
  void fallBack(Crash crash, int parts, IntPredicate fits) {
    for (boolean torn = true; torn; ) {
      for (int part = 0; part < parts; part++) {
        while (!fits.test(part)) {
          takeBack(crash, part, lastOf(part, writes.size()));
        }
      }
      torn = takeBackTorn(crash);
    }
    writes.forEach(write -> write.parts.values().removeIf(List::isEmpty));
    if (crash == Crash.POWER_LOSS) {
      allSafe(); // Recovery makes the recovered state durable.
    } else {
      for (int part = 0; part < parts; part++) {
        safe(Crash.KILL).put(part, writes.size());
      }
    }
  }

  /** Returns the last write before the given one that a part still holds, or -1. */
  private int lastOf(int part, int before) {
    for (int i = before - 1; i >= 0; i--) {
      List<Replaced> changes = writes.get(i).parts.get(part);
      if (changes != null && !changes.isEmpty()) {
        return i;
      }
    }
    return -1;
  }

  private void takeBack(Crash crash, int part, int number) {
    int promised = safe(crash).getOrDefault(part, 0);
    if (number < promised) {
      throw new AssertionError("after " + crash + " part " + part + " does not hold the first "
          + promised + " to " + writes.size() + " writes since everything was last durable");
    }
    List<Replaced> changes = writes.get(number).parts.get(part);
    if (changes == null) {
      throw new AssertionError("write " + number + " does not concern part " + part);
    }
    for (int i = changes.size() - 1; i >= 0; i--) {
      Replaced change = changes.get(i);
      change.map.set(change.key, change.value);
    }
    changes.clear();
  }

  /**
   * Completes the rollback of batches that were rolled back in part. Returns whether any existed.
   */
  private boolean takeBackTorn(Crash crash) {
    boolean torn = false;
    for (int i = 0; i < writes.size(); i++) {
      Map<Integer, List<Replaced>> parts = writes.get(i).parts;
      if (parts.values().stream().anyMatch(List::isEmpty)) {
        for (int part : parts.keySet()) {
          for (int held = lastOf(part, writes.size()); held >= i; ) {
            takeBack(crash, part, held);
            torn = true;
            held = lastOf(part, writes.size());
          }
        }
      }
    }
    return torn;
  }
}
