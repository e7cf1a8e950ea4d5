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
 * The value files that hold more dead values than live ones. They are emptied by compactions of key
 * files, a partition at a time: those write the live values again, with all that a complete file
 * needs to have of these rows, and say that the value file is <em>retired</em> for them. Once it is
 * for all of its rows it goes. So each byte that is freed costs at most one that is copied, and
 * space stays below about twice that of live values.
 *
 * @param files them, by name
 * @param keyBytes the size of all key files
 */
record DeadValues(Map<String, Value> files, long keyBytes) {

  /** Among the files of a moment, without those that are being compacted. */
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

  /** All that key files call them. */
  Set<String> names() {
    Set<String> names = new HashSet<>();
    files.values().forEach(value -> names.addAll(value.file().names()));
    return names;
  }

  /** Not for less than what all key files weigh, which are written again as well. */
  boolean isWorthIt() {
    long bytes = files.values().stream()
        .mapToLong(value -> value.file().largeValueBytes() - value.liveBytes())
        .sum();
    return bytes > 0 && bytes >= keyBytes;
  }

  /** Whether some value file is retired for all of its rows, so that it can go at once. */
  boolean isRetired() {
    return files.values().stream().anyMatch(value -> Job.isRetired(value, Set.of(), false));
  }

  /** What is gained by writing a key file again: bytes, and something for each range of rows. */
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
