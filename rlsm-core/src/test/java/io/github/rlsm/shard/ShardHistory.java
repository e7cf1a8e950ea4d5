// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.shard.worker.ShardRouter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The history of writes to a sharded store, one after another, and the content that a crash may
 * leave. Each shard keeps a prefix of its writes with all promised writes, and every write over
 * several shards is in all of them or in none.
 *
 * <p>Keys are written {@code keyspace/key}. Every keyspace gets a new number when it is created, so
 * a keyspace created again under the same name is a different one.
 */
final class ShardHistory {

  /** One write: the new value of each changed key by shard, null for a deleted key. */
  private record Write(Map<Integer, Map<String, byte @Nullable []>> changes) {

    boolean concerns(int shard) {
      return changes.containsKey(shard);
    }
  }

  /**
   * The possible content after a crash.
   *
   * @param count the number of writes
   * @param safe for each shard, how many of the first writes it must hold, if they concern it
   * @param keyspaces the possible sets of keyspaces, by name with their numbers
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Expected(int count, int[] safe, List<Map<String, Integer>> keyspaces) {

    /** Returns the same promises for a history in which more writes may have begun. */
    Expected of(int begun) {
      return new Expected(begun, safe, keyspaces);
    }

    @Override
    public String toString() {
      return "of " + count + " writes " + Arrays.toString(safe) + " or more, keyspaces "
          + keyspaces;
    }
  }

  private final ShardRouter router;
  private List<Write> writes = new ArrayList<>();
  private int[] safeFromKill;
  private int[] safeFromPowerLoss;
  private Map<String, Integer> keyspaces = Map.of();
  private @Nullable Map<String, Integer> keyspacesAfter;
  private int lastKeyspace;

  ShardHistory(ShardRouter router) {
    this.router = router;
    this.safeFromKill = new int[router.shards()];
    this.safeFromPowerLoss = new int[router.shards()];
  }

  /** Begins a write. Returns whether it concerns several shards. */
  synchronized boolean begin(Map<String, byte @Nullable []> changes) {
    Map<Integer, Map<String, byte @Nullable []>> parts = new TreeMap<>();
    changes.forEach((key, value) ->
        parts.computeIfAbsent(shardOf(key), shard -> new TreeMap<>()).put(key, value));
    writes.add(new Write(parts));
    return parts.size() > 1;
  }

  int shardOf(String key) {
    byte[] user = userKey(key);
    return router.shardOf(user, 0, user.length);
  }

  static byte[] userKey(String key) {
    return key.substring(key.indexOf('/') + 1).getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }

  /** Notes that the last write, with all before it, must survive the death of the process. */
  synchronized void safeFromKill() {
    promise(safeFromKill);
  }

  /** Notes that the last write, with all before it in its shards, must survive a power loss. */
  synchronized void safeFromPowerLoss() {
    promise(safeFromKill);
    promise(safeFromPowerLoss);
  }

  private void promise(int[] safe) {
    if (writes.isEmpty()) {
      return;
    }
    writes.get(writes.size() - 1).changes.keySet().forEach(shard -> safe[shard] = writes.size());
  }

  /** Notes that the first writes must survive a power loss in these shards. */
  synchronized void safeFromPowerLoss(int count, Set<Integer> shards) {
    for (int shard : shards) {
      safeFromKill[shard] = Math.max(safeFromKill[shard], count);
      safeFromPowerLoss[shard] = Math.max(safeFromPowerLoss[shard], count);
    }
  }

  /** The number of writes that have begun. */
  synchronized int count() {
    return writes.size();
  }

  /** The shards that a write concerns. */
  synchronized Set<Integer> shardsOf(int write) {
    return writes.get(write).changes.keySet();
  }

  /** Notes that all writes must survive a power loss. */
  synchronized void allSafe() {
    Arrays.fill(safeFromKill, writes.size());
    Arrays.fill(safeFromPowerLoss, writes.size());
  }

  /** Notes a power loss: writes that were not synced may be lost. */
  synchronized void losesPower() {
    safeFromKill = safeFromPowerLoss.clone();
  }

  synchronized Map<String, Integer> keyspaces() {
    return keyspaces;
  }

  /** Notes that a keyspace is about to be created, if it is missing. */
  synchronized void beginCreate(String name) {
    Map<String, Integer> next = new TreeMap<>(keyspaces);
    if (!next.containsKey(name)) {
      next.put(name, ++lastKeyspace);
    }
    keyspacesAfter = next;
  }

  /** Notes that a keyspace is about to be dropped. */
  synchronized void beginDrop(String name) {
    Map<String, Integer> next = new TreeMap<>(keyspaces);
    next.remove(name);
    keyspacesAfter = next;
  }

  /** Notes that the pending change of keyspaces is acknowledged. */
  synchronized void endKeyspaces() {
    if (keyspacesAfter != null) {
      keyspaces = keyspacesAfter;
      keyspacesAfter = null;
    }
  }

  synchronized Expected afterKill() {
    return expected(safeFromKill);
  }

  synchronized Expected afterPowerLoss() {
    return expected(safeFromPowerLoss);
  }

  private Expected expected(int[] safe) {
    List<Map<String, Integer>> sets = new ArrayList<>(List.of(keyspaces));
    if (keyspacesAfter != null) {
      sets.add(keyspacesAfter);
    }
    return new Expected(writes.size(), safe.clone(), sets);
  }

  /**
   * Returns, for each shard, the largest number of first writes that matches its content.
   *
   * @param live the keyspaces found
   * @throws AssertionError if no number matches
   */
  synchronized int[] match(
      Expected expected, Map<String, Integer> live, Map<String, ByteBuffer> found) {
    List<List<Integer>> candidates = new ArrayList<>();
    for (int shard = 0; shard < router.shards(); shard++) {
      candidates.add(candidates(expected, shard, live, found));
    }
    int[] counts = new int[router.shards()];
    boolean settled = false;
    while (!settled) {
      for (int shard = 0; shard < counts.length; shard++) {
        if (candidates.get(shard).isEmpty()) {
          throw new AssertionError("shard " + shard + " holds none of " + expected + ", it holds "
              + summary(here(shard, found)) + "; it was written " + story(expected.count, shard));
        }
        counts[shard] = candidates.get(shard).get(0);
      }
      settled = dropTorn(expected.count, counts, candidates);
    }
    return counts;
  }

  private Map<String, ByteBuffer> here(int shard, Map<String, ByteBuffer> found) {
    Map<String, ByteBuffer> here = new TreeMap<>(found);
    here.keySet().removeIf(key -> shardOf(key) != shard);
    return here;
  }

  /** Formats keys and the numbers at the start of their values. */
  private static String summary(Map<String, ByteBuffer> entries) {
    StringBuilder summary = new StringBuilder();
    entries.forEach(
        (key, value) -> summary.append(key).append('=').append(value.getInt(0)).append(' '));
    return summary.toString();
  }

  private String story(int count, int shard) {
    StringBuilder story = new StringBuilder();
    for (int i = 0; i < count; i++) {
      Map<String, byte @Nullable []> part = writes.get(i).changes.getOrDefault(shard, Map.of());
      if (!part.isEmpty()) {
        story.append('\n').append(i + 1).append(": ");
        part.forEach((key, value) -> story
            .append(key)
            .append(value == null ? " deleted " : "=" + ByteBuffer.wrap(value).getInt() + " "));
        story.append("in ").append(writes.get(i).changes.keySet());
      }
    }
    return story.toString();
  }

  /** Returns the states of a shard that match, the latest first. */
  private List<Integer> candidates(
      Expected expected, int shard, Map<String, Integer> live, Map<String, ByteBuffer> found) {
    Map<String, ByteBuffer> here = here(shard, found);
    Map<String, ByteBuffer> state = new TreeMap<>();
    List<Integer> fitting = new ArrayList<>();
    for (int count = 0; count <= expected.count; count++) {
      if (count > 0) {
        apply(writes.get(count - 1), shard, live, state);
      }
      if (count >= expected.safe[shard] && state.equals(here)) {
        fitting.add(0, count);
      }
    }
    return fitting;
  }

  private static void apply(
      Write write, int shard, Map<String, Integer> live, Map<String, ByteBuffer> state) {
    write.changes.getOrDefault(shard, Map.of()).forEach((key, value) -> {
      int keyspace = Integer.parseInt(key.substring(0, key.indexOf('/')));
      if (value == null) {
        state.remove(key);
      } else if (keyspace == 0 || live.containsValue(keyspace)) {
        state.put(key, ByteBuffer.wrap(value));
      }
    });
  }

  /** Drops states with a write that another shard lacks. Returns whether there were none. */
  private boolean dropTorn(int count, int[] counts, List<List<Integer>> candidates) {
    for (int i = 0; i < count; i++) {
      Write write = writes.get(i);
      int number = i;
      boolean missing = write.changes.keySet().stream().anyMatch(shard -> counts[shard] <= number);
      for (int shard = 0; missing && shard < counts.length; shard++) {
        if (write.concerns(shard) && counts[shard] > number) {
          candidates.get(shard).removeIf(candidate -> candidate > number);
          return false;
        }
      }
    }
    return true;
  }

  /** Notes the states that the shards recovered. The history continues from there. */
  synchronized void fallBackTo(int[] counts) {
    List<Write> kept = new ArrayList<>();
    for (int i = 0; i < writes.size(); i++) {
      int number = i;
      Map<Integer, Map<String, byte @Nullable []>> parts = new TreeMap<>(writes.get(i).changes);
      parts.keySet().removeIf(shard -> counts[shard] <= number);
      kept.add(new Write(parts));
    }
    writes = kept;
  }
}
