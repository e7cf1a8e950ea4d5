// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import io.github.rlsm.io.StoreFileName;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Says which files a crash left behind. Run after a store is open; pure.
 *
 * <p>Names that are not a store's are never among them.
 */
public final class OrphanSweep {

  private final Version version;
  private final long manifest;
  private final Set<Integer> segments = new HashSet<>();

  private OrphanSweep(Version version, long manifest) {
    this.version = version;
    this.manifest = manifest;
    version.segments().forEach(segment -> segments.add(segment.number()));
  }

  /**
   * The names of files that nothing needs.
   *
   * @param version what is live; recovered, and not changed since
   * @param manifest number of the manifest in force, {@link VersionSet#manifestNumber}
   * @param names the files there are
   */
  public static List<String> orphans(Version version, long manifest, Collection<String> names) {
    OrphanSweep sweep = new OrphanSweep(version, manifest);
    return names.stream()
        .map(StoreFileName::parse)
        .flatMap(Optional::stream)
        .filter(sweep::isOrphan)
        .map(StoreFileName::format)
        .toList();
  }

  private boolean isOrphan(StoreFileName file) {
    return switch (file.type()) {
      case TABLE -> version.table(file.number()) == null;
      case MANIFEST -> file.number() != manifest;
      case WRITE_AHEAD_LOG -> file.number() < version.firstGeneration();
      case VALUE_LOG ->
        file.number() < version.firstGeneration()
            && !segments.contains(Math.toIntExact(file.number()));
      case CURRENT_TEMPORARY -> true;
      case CURRENT, LOCK -> false;
    };
  }
}
