// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.regionserver.HStoreFile;

/**
 * Selects files that can be removed without a rewrite, because all of their cells have expired.
 *
 * <p>A value file stays while a remaining key file has shadows of its values; otherwise scans could
 * not use the key file. A key file stays while a value file that it covers stays; otherwise scans
 * would read that value file.
 */
final class ExpiredFiles {

  private ExpiredFiles() {}

  /**
   * Returns the files that can be removed together.
   *
   * @param files all files of the store
   * @param values their roles
   * @param expired whether all cells of a file have expired, and HBase does not need the file
   */
  static List<HStoreFile> of(
      Collection<HStoreFile> files, ValueFiles values, Predicate<HStoreFile> expired) {
    Set<HStoreFile> going = new LinkedHashSet<>();
    files.stream().filter(expired).forEach(going::add);
    boolean changed = !going.isEmpty();
    while (changed) {
      Set<String> named = namedByShadows(values, going);
      Set<String> covered = coveredNames(values, going);
      changed = going.removeIf(file -> file instanceof PartitionedStoreFile own
          && (values.keys().contains(own)
              ? own.mark().orElseThrow().files().stream()
                  .anyMatch(entry -> covered.contains(entry.name()))
              : own.names().stream().anyMatch(named::contains)));
    }
    return List.copyOf(going);
  }

  /** The names by which the remaining key files refer to values. */
  private static Set<String> namedByShadows(ValueFiles values, Set<HStoreFile> going) {
    Set<String> names = new HashSet<>();
    for (HStoreFile keys : values.keys()) {
      if (!going.contains(keys) && keys instanceof PartitionedStoreFile own) {
        own.mark().orElseThrow().files().stream()
            .filter(entry -> entry.bytes() > 0)
            .forEach(entry -> names.add(entry.name()));
      }
    }
    return names;
  }

  /** The names of the remaining value files. */
  private static Set<String> coveredNames(ValueFiles values, Set<HStoreFile> going) {
    Set<String> names = new HashSet<>();
    for (ValueFiles.Value value : values.values().values()) {
      if (!going.contains(value.file())) {
        names.addAll(value.file().names());
      }
    }
    return names;
  }
}
