// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.version.Version;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Finds tables, manifests and temporary files that a crash has left behind. Called after the store
 * is open. A pure function.
 *
 * <p>Ignores log segments: {@code SegmentFiles} deletes the unused ones. Also ignores files whose
 * names are not names of store files.
 */
public final class OrphanSweep {

  private OrphanSweep() {}

  /**
   * Returns the names of files that the store does not need.
   *
   * @param version the recovered version, before any edit
   * @param manifest number of the manifest in force, {@link VersionSet#manifestNumber}
   * @param names all files of the directory
   */
  public static List<String> orphans(Version version, long manifest, Collection<String> names) {
    return names.stream()
        .map(StoreFileName::parse)
        .flatMap(Optional::stream)
        .filter(file -> isOrphan(file, version, manifest))
        .map(StoreFileName::format)
        .toList();
  }

  private static boolean isOrphan(StoreFileName file, Version version, long manifest) {
    return switch (file.type()) {
      case TABLE -> version.table(file.number()) == null;
      case MANIFEST -> file.number() != manifest;
      case CURRENT_TEMPORARY, LOG_DEVICE_TEMPORARY, SEGMENT_TEMPORARY -> true;
      case CURRENT, LOCK, WRITE_AHEAD_LOG, VALUE_LOG, SHARDS, SHARDS_TEMPORARY, LOG_DEVICE -> false;
    };
  }
}
