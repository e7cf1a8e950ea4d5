// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.compact.PartitionShapes;
import io.github.rlsm.compact.ValueSegments;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.level.Table;
import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.log.ValueLog;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.policy.SpaceShape;
import io.github.rlsm.policy.ValueSegmentShape;
import io.github.rlsm.version.PinnedVersion;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.TableMeta;
import io.github.rlsm.version.Version;
import io.github.rlsm.version.VersionSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Tells the policies what space the current version and memory take. What only a snapshot still
 * needs is left out: no collection could free it.
 *
 * <p>Threads: one at a time.
 */
final class SpaceSurvey {

  private final StoreDirectory directory;
  private final VersionSet<Table> versions;
  private final Views views;
  private final PartitionShapes shapes = new PartitionShapes();

  SpaceSurvey(StoreDirectory directory, VersionSet<Table> versions, Views views) {
    this.directory = directory;
    this.versions = versions;
    this.views = views;
  }

  /**
   * The space taken.
   *
   * @param leaving segments that are sure to be freed soon; they take none
   * @param kept segments that are not to be collected
   */
  SpaceShape space(PinnedVersion<Table> files, Set<Integer> leaving, Set<Integer> kept) {
    Version version = files.version();
    List<MemoryComponent> memory = views.memory();
    Set<Integer> inMemory = segmentsIn(memory);
    Set<Integer> taken = new HashSet<>(leaving);
    taken.addAll(kept);
    taken.addAll(inMemory);
    ValueSegments segments = new ValueSegments(files, shapes);
    long disk = versions.manifestBytes();
    disk += version.tables().stream().mapToLong(TableMeta::fileBytes).sum();
    for (SegmentAccount account : version.segments()) {
      if (!leaving.contains(account.number()) && !inMemory.contains(account.number())) {
        disk += directory.size(StoreFileName.valueLog(account.number()));
      }
    }
    long live = segments.liveBytes();
    // The next generation's segments stand ready, as long as those that are being filled.
    disk += logBytes(memory.get(0));
    for (MemoryComponent component : memory) {
      live += component.log().recordBytes();
      disk += logBytes(component);
    }
    List<ValueSegmentShape> free = segments.shapes().stream()
        .filter(segment -> !taken.contains(segment.number()))
        .toList();
    return new SpaceShape(disk, live, version.nextSegmentNumber(), free);
  }

  /** Segments whose entries a look-up may still find in memory, where they are no pointers. */
  static Set<Integer> segmentsIn(List<MemoryComponent> memory) {
    Set<Integer> numbers = new HashSet<>();
    memory.forEach(component -> numbers.add(ValueLog.numberOf(component.log())));
    return numbers;
  }

  private static long logBytes(MemoryComponent component) {
    LogGeneration log = component.log();
    return (long) log.file(false).length() + log.file(true).length();
  }
}
