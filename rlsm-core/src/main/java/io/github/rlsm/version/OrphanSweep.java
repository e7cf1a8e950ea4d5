// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import io.github.rlsm.io.StoreFileName;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Says which tables and manifests a crash left behind. Run after a store is open; pure.
 *
 * <p>Segments of the log are not its business: recovery of the log finds those that are free and
 * uses them again. Names that are not a store's are never among them either.
 */
public final class OrphanSweep {

  private OrphanSweep() {}

  /**
   * The names of files that nothing needs.
   *
   * @param version what is live; recovered, and not changed since
   * @param manifest number of the manifest in force, {@link VersionSet#manifestNumber}
   * @param names the files there are
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
