// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.io.IoEvent;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.version.Partition;
import io.github.rlsm.version.Run;
import io.github.rlsm.version.Version;
import io.github.rlsm.versionset.ManifestRecovery;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Counts changes to the levels of a store in a simulated directory. At each force of the manifest,
 * it reads the manifest and compares it with the previous version.
 */
final class LevelWatch {

  /** A change to the levels of a store. */
  enum Change {
    /** A table was added to level 0. */
    FLUSH,
    /** A table of level 0, or a slice of it, became a run of a partition without a copy. */
    LINK,
    /** A new table was added to a partition, and level 0 lost one. */
    COPY,
    /** A new table replaced runs of a partition. */
    CLEAN,
    /** A partition was split into several. */
    SPLIT,
    /** Two partitions were merged into one. */
    MERGE
  }

  private final Map<Change, Integer> counts = new EnumMap<>(Change.class);
  private Version last = Version.EMPTY;

  /** Watches the directory; replaces an observer of its events. */
  void watch(SimulatedDirectory directory) {
    last = Version.EMPTY;
    directory.onEvent(event -> {
      if (event.kind() == IoEvent.Kind.FORCE && !event.isBefore() && isManifest(event.file())) {
        SimulatedDirectory copy = directory.afterKill();
        if (copy.exists(StoreFileName.CURRENT)) {
          compare(ManifestRecovery.recover(copy).version());
        }
      }
    });
  }

  private static boolean isManifest(String file) {
    return StoreFileName.parse(file)
        .filter(name -> name.type() == StoreFileName.Type.MANIFEST)
        .isPresent();
  }

  /** The number of changes of each kind. */
  Map<Change, Integer> counts() {
    return counts;
  }

  private void count(Change change) {
    counts.merge(change, 1, Integer::sum);
  }

  private void compare(Version now) {
    Version before = last;
    last = now;
    boolean lostL0 = before.l0().stream().anyMatch(run -> !contains(now.l0(), run.table()));
    if (now.l0().stream().anyMatch(run -> before.table(run.table()) == null)) {
      count(Change.FLUSH);
    }
    for (Partition partition : now.partitions()) {
      for (Run run : partition.runs()) {
        if (before.table(run.table()) == null) {
          count(lostL0 ? Change.COPY : Change.CLEAN);
        } else if (contains(before.l0(), run.table())) {
          count(Change.LINK);
        }
      }
    }
    if (!lostL0 && tables(before).equals(tables(now))) {
      int grown = now.partitions().size() - before.partitions().size();
      if (grown != 0) {
        count(grown > 0 ? Change.SPLIT : Change.MERGE);
      }
    }
  }

  private static boolean contains(List<Run> runs, long table) {
    return runs.stream().anyMatch(run -> run.table() == table);
  }

  private static Object tables(Version version) {
    return version.tables().stream()
        .map(table -> Objects.requireNonNull(table).number())
        .collect(Collectors.toSet());
  }
}
