// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.KvReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a store should hold after each write of a history, and which of these states a crash may
 * fall back to. Keys are written {@code keyspace/key}; every keyspace gets a number of its own when
 * it is made, so that one made again under the same name is another.
 */
final class CrashModel {

  /** One write: what it sets, null for what it deletes. */
  record Write(Map<String, byte @Nullable []> changes) {}

  /**
   * What may be found after a crash.
   *
   * @param states the state after each write so far, the empty one first
   * @param first the earliest state that is right
   * @param last the latest state that is right
   * @param keyspaces the keyspaces there may be, by name with their numbers: one set of them, or
   *     two while one is being made or dropped
   */
  record Expected(
      List<Map<String, ByteBuffer>> states,
      int first,
      int last,
      List<Map<String, Integer>> keyspaces) {

    /** The number of the latest state that the store holds, -1 if it holds none of them. */
    int find(RlsmStore store) {
      Map<String, Integer> live = null;
      for (Map<String, Integer> names : keyspaces) {
        live = names.keySet().equals(store.keyspaceNames()) ? names : live;
      }
      if (live == null) {
        return -1;
      }
      Map<String, ByteBuffer> found = read(store, live);
      for (int i = last; i >= first; i--) {
        if (visible(states.get(i), live).equals(found)) {
          return i;
        }
      }
      return -1;
    }

    /** What a state shows through the keyspaces there are. */
    static Map<String, ByteBuffer> visible(
        Map<String, ByteBuffer> state, Map<String, Integer> live) {
      Map<String, ByteBuffer> visible = new TreeMap<>(state);
      visible.keySet().removeIf(key -> {
        int keyspace = Integer.parseInt(key.substring(0, key.indexOf('/')));
        return keyspace != 0 && !live.containsValue(keyspace);
      });
      return visible;
    }

    @Override
    public String toString() {
      return "states " + first + " to " + last + ", keyspaces " + keyspaces;
    }
  }

  private List<Map<String, ByteBuffer>> states = new ArrayList<>(List.of(Map.of()));
  private Map<String, Integer> keyspaces = Map.of();
  private @Nullable Map<String, Integer> keyspacesAfter;
  private int lastKeyspace;
  private int synced;
  private int flushedToSystem;

  /** Reads everything there is. */
  static Map<String, ByteBuffer> read(RlsmStore store, Map<String, Integer> live) {
    Map<String, ByteBuffer> found = new TreeMap<>();
    read(store, 0, found);
    live.forEach((name, number) -> read(store.keyspace(name), number, found));
    return found;
  }

  private static void read(KvReader reader, int keyspace, Map<String, ByteBuffer> found) {
    try (KvIterator entries = reader.scan()) {
      while (entries.next()) {
        String key =
            keyspace + "/" + new String(entries.key(), java.nio.charset.StandardCharsets.UTF_8);
        found.put(key, ByteBuffer.wrap(entries.value()));
      }
    }
  }

  /** The present state. */
  Map<String, ByteBuffer> now() {
    return states.get(states.size() - 1);
  }

  Map<String, Integer> keyspaces() {
    return keyspaces;
  }

  /** How many writes there were. */
  int writes() {
    return states.size() - 1;
  }

  /** A write begins. */
  void begin(Write write) {
    Map<String, ByteBuffer> next = new TreeMap<>(now());
    write.changes().forEach((key, value) -> {
      if (value == null) {
        next.remove(key);
      } else {
        next.put(key, ByteBuffer.wrap(value));
      }
    });
    states.add(next);
  }

  /** Everything so far is said to survive the death of the process. */
  void safeFromKill() {
    flushedToSystem = writes();
  }

  /** Everything so far is said to survive a power loss. */
  void safeFromPowerLoss() {
    safeFromKill();
    synced = writes();
  }

  /** The power goes: what only the system knew may be gone. */
  void losesPower() {
    flushedToSystem = synced;
  }

  /** A keyspace is about to be made, if it is not there. */
  void beginCreate(String name) {
    Map<String, Integer> next = new TreeMap<>(keyspaces);
    if (!next.containsKey(name)) {
      next.put(name, ++lastKeyspace);
    }
    keyspacesAfter = next;
  }

  /** A keyspace is about to be dropped. */
  void beginDrop(String name) {
    Map<String, Integer> next = new TreeMap<>(keyspaces);
    next.remove(name);
    keyspacesAfter = next;
  }

  /** The change of keyspaces that was begun is acknowledged. */
  void endKeyspaces() {
    if (keyspacesAfter != null) {
      keyspaces = keyspacesAfter;
      keyspacesAfter = null;
    }
  }

  private Expected expected(int first) {
    List<Map<String, Integer>> sets = new ArrayList<>(List.of(keyspaces));
    if (keyspacesAfter != null) {
      sets.add(keyspacesAfter);
    }
    return new Expected(states, first, writes(), sets);
  }

  /** What a power loss may leave now. */
  Expected afterPowerLoss() {
    return expected(synced);
  }

  /** What the death of the process may leave now. */
  Expected afterKill() {
    return expected(flushedToSystem);
  }

  /** A store was found to hold a state; the history goes on from there. */
  void fallBackTo(int state) {
    states = new ArrayList<>(states.subList(0, state + 1));
    synced = Math.min(synced, state);
    flushedToSystem = Math.min(flushedToSystem, state);
  }
}
