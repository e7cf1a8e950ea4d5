// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.background.StoreFiles;
import io.github.rlsm.background.StoreMemory;
import io.github.rlsm.background.WriteThrottle;
import io.github.rlsm.compact.TableFactory;
import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.kv.Stats;
import io.github.rlsm.log.RecordLayout;
import io.github.rlsm.read.Lookup;
import io.github.rlsm.table.ReadCounters;
import io.github.rlsm.version.Partition;
import io.github.rlsm.version.Run;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.Version;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Collects the statistics that {@link io.github.rlsm.kv.KvStore#stats} returns. */
final class EngineStats {

  private final Engine engine;
  private final StoreFiles files;
  private final StoreMemory memory;

  /** The bytes of all files at the last call that could list them; 0 before. */
  private volatile long lastDiskBytes;

  EngineStats(Engine engine) {
    this.engine = engine;
    this.files = engine.files;
    this.memory = engine.memory;
  }

  Stats stats() {
    WriteThrottle throttle = engine.background.throttle();
    return new Stats(
        writes(engine.writes),
        reads(engine.lookup),
        space(),
        new Stats.Stalls(throttle.stalls(), throttle.stallNanos()),
        engine.background.errors().counts(),
        new Stats.Resources(memory(), mappings(), engine.snapshots.count()));
  }

  private Stats.Writes writes(WritePath writes) {
    Map<String, Long> byCause = new TreeMap<>();
    long units = engine.active.tailSeqno() - memory.firstSeqno();
    byCause.put("log", units * RecordLayout.UNIT);
    byCause.put("sort", engine.background.sortedBytes());
    byCause.put("collect", engine.background.collectedBytes());
    byCause.put("log device", engine.force.deviceBytes());
    byCause.put("log preparation", memory.segments().zeroedBytes());
    for (TableFactory.WriteCause cause : TableFactory.WriteCause.values()) {
      byCause.put(cause.name().toLowerCase(Locale.ROOT), files.tableBytes(cause));
    }
    return new Stats.Writes(
        writes.operations(),
        writes.userBytes(),
        byCause,
        engine.force.syncs(),
        writes.syncedWrites());
  }

  private Stats.Reads reads(Lookup lookup) {
    ReadCounters tables = files.reads();
    return new Stats.Reads(
        lookup.gets(),
        lookup.memoryHits(),
        new Stats.Cache(tables.cacheHits(), tables.pagesVerified()),
        new Stats.Filters(tables.filterNegatives(), tables.falsePositives()),
        tables.lookupPages(),
        tables.pagesRead());
  }

  private Stats.Space space() {
    Version version = files.versions().current();
    long live = version.l0().stream().mapToLong(Run::bytes).sum();
    live += version.partitions().stream().mapToLong(Partition::bytes).sum();
    live += version.segments().stream().mapToLong(SegmentAccount::liveBytes).sum();
    live += memory.readStates().memory().stream()
        .mapToLong(component -> component.log().recordBytes())
        .sum();
    long dead = version.segments().stream().mapToLong(SegmentAccount::deadBytes).sum();
    return new Stats.Space(diskBytes(live + dead), live, dead, engine.background.freedSegments());
  }

  /**
   * Returns the bytes of all files. Listing them needs a file descriptor. While the process has
   * none, an operator needs the other statistics, so the last known number must do.
   *
   * @param accounted the bytes that the version accounts for
   */
  private long diskBytes(long accounted) {
    try {
      lastDiskBytes = files.directory().usedBytes();
      return lastDiskBytes;
    } catch (ResourceExhaustedException e) {
      return Math.max(lastDiskBytes, accounted); // A store without descriptors reports it itself.
    }
  }

  private Stats.Mappings mappings() {
    return new Stats.Mappings(files.mappedFiles(), files.directory().mappingsMax());
  }

  private Map<String, Long> memory() {
    Map<String, Long> bytes = new TreeMap<>();
    bytes.put("memory components", memory.heapBytes());
    bytes.put("page cache", files.cacheBytes());
    return bytes;
  }
}
