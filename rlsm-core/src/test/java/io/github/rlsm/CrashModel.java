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
 * The expected content of a store after each write of a history, and the states that a crash may
 * fall back to. Keys are written {@code keyspace/key}. Every keyspace gets a new number when it is
 * created, so a keyspace created again under the same name is a different one.
 */
final class CrashModel {

  /** One write: the new value of each changed key, null for a deleted key. */
  record Write(Map<String, byte @Nullable []> changes) {}

  /**
   * The possible content after a crash.
   *
   * @param states the state after each write so far, the empty one first
   * @param first the earliest valid state
   * @param last the latest valid state
   * @param keyspaces the possible sets of keyspaces, by name with their numbers: one set, or two
   *     while a keyspace is being created or dropped
   */
  record Expected(
      List<Map<String, ByteBuffer>> states,
      int first,
      int last,
      List<Map<String, Integer>> keyspaces) {

    /** Returns the number of the latest state that equals the store's content, or -1. */
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

    /** Returns the part of a state that is visible through the live keyspaces. */
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

  /** Reads the whole content. */
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

  /** The current state. */
  Map<String, ByteBuffer> now() {
    return states.get(states.size() - 1);
  }

  Map<String, Integer> keyspaces() {
    return keyspaces;
  }

  /** The number of writes. */
  int writes() {
    return states.size() - 1;
  }

  /** Begins a write. */
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

  /** Notes that all writes so far must survive the death of the process. */
  void safeFromKill() {
    flushedToSystem = writes();
  }

  /** Notes that all writes so far must survive a power loss. */
  void safeFromPowerLoss() {
    safeFromKill();
    synced = writes();
  }

  /** Notes a power loss: writes that were not synced may be lost. */
  void losesPower() {
    flushedToSystem = synced;
  }

  /** Notes that a keyspace is about to be created, if it is missing. */
  void beginCreate(String name) {
    Map<String, Integer> next = new TreeMap<>(keyspaces);
    if (!next.containsKey(name)) {
      next.put(name, ++lastKeyspace);
    }
    keyspacesAfter = next;
  }

  /** Notes that a keyspace is about to be dropped. */
  void beginDrop(String name) {
    Map<String, Integer> next = new TreeMap<>(keyspaces);
    next.remove(name);
    keyspacesAfter = next;
  }

  /** Notes that the pending change of keyspaces is acknowledged. */
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

  /** Returns the content that a power loss may leave now. */
  Expected afterPowerLoss() {
    return expected(synced);
  }

  /** Returns the content that the death of the process may leave now. */
  Expected afterKill() {
    return expected(flushedToSystem);
  }

  /** Notes the state that the store recovered. The history continues from this state. */
  void fallBackTo(int state) {
    states = new ArrayList<>(states.subList(0, state + 1));
    synced = Math.min(synced, state);
    flushedToSystem = Math.min(flushedToSystem, state);
  }
}
