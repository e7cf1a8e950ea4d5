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
 * The writes of a {@link ModelStore} that a crash may take back, with the values that they
 * replaced.
 *
 * <p>The keys of a store belong to one or more parts, for example its shards. A crash leaves of
 * each part the state after one of its writes. Every write that was promised to survive is in that
 * state. A write to several parts is in all of them or in none.
 *
 * <p>Threads: guarded by the monitor of the store.
 */
final class ModelHistory {

  /** The value that a key had before a write changed it; null if it had none. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Replaced(ModelMap map, byte[] key, byte @Nullable [] value) {}

  /**
   * A write: the values that it replaced, by part. A part whose state no longer has the write is
   * removed.
   */
  private record Write(Map<Integer, List<Replaced>> parts) {}

  private final ToIntFunction<byte[]> partOf;
  private final Map<Crash, Map<Integer, Integer>> safe = new TreeMap<>();
  private List<Write> writes = new ArrayList<>();

  /** A history without writes of a store whose keys belong to the parts given by a function. */
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

  /** The last write was acknowledged: it and all earlier writes to its parts survive. */
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

  /** Everything so far survives. */
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
   * Takes back the fewest writes that explain the content after a crash, the newest first. If this
   * fails, no other choice succeeds. A write is taken back only if the content found in its part,
   * or in another part of the same batch, excludes it.
   *
   * @param parts how many parts the store has
   * @param fits whether the model now holds the content found in a part
   * @throws AssertionError if the content found is no state that the crash may leave
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
      allSafe(); // Recovery makes durable what it found.
    } else {
      for (int part = 0; part < parts; part++) {
        safe(Crash.KILL).put(part, writes.size());
      }
    }
  }

  /** The last write before a number that a part still holds, -1 if there is none. */
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
   * Takes back the rest of batches that were taken back in part. Returns whether there were any.
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
