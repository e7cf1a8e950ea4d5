// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.compact;

import io.github.rlsm.hbase.files.FileAge;
import io.github.rlsm.hbase.files.StoreFileSet.Moment;
import io.github.rlsm.hbase.files.ValueFiles.Mention;
import io.github.rlsm.hbase.files.ValueFiles.Value;
import io.github.rlsm.hbase.values.KeyFileMark.Cover;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.regionserver.HStoreFile;

/**
 * The value files that hold more dead values than live ones. Compactions of key files empty them,
 * one partition at a time. Such a compaction rewrites the live values, and everything else that
 * complete files must hold for these rows, and marks the value file as <em>retired</em> for the
 * rows. A value file that is retired for all of its rows is removed. So each freed byte costs at
 * most one copied byte, and the values take at most about twice the space of the live ones.
 *
 * @param files the value files, by name
 * @param keyBytes the size of all key files
 */
record DeadValues(Map<String, Value> files, long keyBytes) {

  /** Finds the value files among a store's files, except for files that are being compacted. */
  static DeadValues of(Moment now, Collection<HStoreFile> busy) {
    Map<String, Value> dead = new HashMap<>();
    now.values().values().forEach((name, value) -> {
      long all = value.file().largeValueBytes();
      if (value.liveBytes() < all - value.liveBytes() && !busy.contains(value.file())) {
        dead.put(name, value);
      }
    });
    long keyBytes = now.values().keys().stream().mapToLong(FileAge::bytes).sum();
    return new DeadValues(dead, keyBytes);
  }

  /** All names by which key files refer to the value files. */
  Set<String> names() {
    Set<String> names = new HashSet<>();
    files.values().forEach(value -> names.addAll(value.file().names()));
    return names;
  }

  /** Whether the dead bytes are at least the size of all key files, which are rewritten as well. */
  boolean isWorthIt() {
    long bytes = files.values().stream()
        .mapToLong(value -> value.file().largeValueBytes() - value.liveBytes())
        .sum();
    return bytes > 0 && bytes >= keyBytes;
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
