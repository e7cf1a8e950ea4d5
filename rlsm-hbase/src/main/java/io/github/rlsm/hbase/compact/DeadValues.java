// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.compact;

import io.github.rlsm.hbase.files.StoreFileSet.Moment;
import io.github.rlsm.hbase.files.ValueFiles.Mention;
import io.github.rlsm.hbase.files.ValueFiles.Value;
import io.github.rlsm.hbase.values.KeyFileMark.Cover;
import io.github.rlsm.hbase.values.ValueSpace;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.regionserver.HStoreFile;

/**
 * The value files with too many dead values. Compactions of key files empty them, one partition at
 * a time. Such a compaction rewrites the live values, and everything else that complete files must
 * hold for these rows, and marks the value file as <em>retired</em> for the rows. A value file that
 * is retired for all of its rows is removed. If half of the values may be dead, each freed byte
 * costs at most one copied byte.
 *
 * @param files the value files, by name
 * @param bytes bytes of dead values in these files
 * @param halves whether some of the files are halves after a split. HBase does not split a region
 *     again before it has none.
 * @param space the bytes of all value files and key files
 */
record DeadValues(Map<String, Value> files, long bytes, boolean halves, ValueSpace space) {

  /**
   * Which values count as dead, and how many of them are too many.
   *
   * @param percentMax the dead bytes that are allowed, in percent of the live ones
   * @param expiredBefore the time before which all cells have expired. The values of an older file
   *     are dead, even if key files still refer to them.
   */
  record Rule(int percentMax, long expiredBefore) {
    /** The rule for a store whose cells do not expire. */
    static Rule withoutLifetime(int percentMax) {
      return new Rule(percentMax, Long.MIN_VALUE);
    }

    private long liveBytes(Value value) {
      return value.file().isExpired(expiredBefore) ? 0 : value.liveBytes();
    }
  }

  /** Finds the value files among a store's files, except for files that are being compacted. */
  static DeadValues of(Moment now, Collection<HStoreFile> busy, Rule rule) {
    Map<String, Value> dead = new HashMap<>();
    long allLive = 0;
    long deadBytes = 0;
    boolean halves = false;
    for (Map.Entry<String, Value> entry : now.values().values().entrySet()) {
      Value value = entry.getValue();
      long live = rule.liveBytes(value);
      allLive += live;
      long allowed = live * rule.percentMax() / 100;
      long bytes = value.bytes() - live;
      boolean half = value.file().isReference();
      if ((half || bytes > allowed) && !busy.contains(value.file())) {
        dead.put(entry.getKey(), value);
        deadBytes += bytes;
        halves |= half;
      }
    }
    ValueSpace all = now.values().space();
    ValueSpace space = new ValueSpace(all.values(), allLive, all.keys());
    return new DeadValues(dead, deadBytes, halves, space);
  }

  /** All names by which key files refer to the value files. */
  Set<String> names() {
    Set<String> names = new HashSet<>();
    files.values().forEach(value -> names.addAll(value.file().names()));
    return names;
  }

  /** Whether the dead bytes are at least the size of all key files, which are rewritten as well. */
  boolean isWorthIt() {
    return halves || (bytes > 0 && bytes >= space.keys());
  }

  /** Whether some value file is retired for all of its rows, so that it can be removed at once. */
  boolean isRetired() {
    return files.values().stream().anyMatch(value -> Job.isRetired(value, Set.of(), false));
  }

  /**
   * The gain from rewriting a key file: for each value file it has not retired, live bytes plus
   * one.
   */
  long weight(HStoreFile keys) {
    long weight = 0;
    for (Value value : files.values()) {
      for (Mention mention : value.mentions()) {
        boolean left = mention.keys().equals(keys)
            && !mention.entry().covers().stream().allMatch(Cover::retired);
        if (left) {
          weight += 1 + mention.entry().bytes();
        }
      }
    }
    return weight;
  }
}
