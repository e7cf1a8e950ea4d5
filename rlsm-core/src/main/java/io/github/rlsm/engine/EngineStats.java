// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.compact.WriteCause;
import io.github.rlsm.kv.Stats;
import io.github.rlsm.log.RecordLayout;
import io.github.rlsm.memory.MemoryComponent;
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

  private final EngineParts parts;
  private final int openSnapshots;

  EngineStats(EngineParts parts, int openSnapshots) {
    this.parts = parts;
    this.openSnapshots = openSnapshots;
  }

  Stats picture() {
    Counters counters = parts.counters;
    return new Stats(
        writes(counters),
        reads(counters),
        space(),
        new Stats.Stalls(counters.stalls.sum(), counters.stallNanos.sum()),
        parts.errors.counts(),
        mappings(),
        memory(),
        openSnapshots);
  }

  private Stats.Writes writes(Counters counters) {
    Map<String, Long> byCause = new TreeMap<>();
    long units = parts.writes.tailSeqno() - parts.firstSeqno;
    long collected = counters.collectedBytes.sum();
    byCause.put("log", units * RecordLayout.UNIT);
    byCause.put("collect", collected);
    byCause.put("log device", parts.force.deviceBytes());
    byCause.put("log preparation", parts.segments.zeroedBytes());
    for (WriteCause cause : WriteCause.values()) {
      byCause.put(cause.name().toLowerCase(Locale.ROOT), counters.tableBytes(cause));
    }
    return new Stats.Writes(
        counters.operations.sum(),
        counters.userBytes.sum(),
        byCause,
        counters.syncs.sum(),
        counters.syncedWrites.sum());
  }

  private Stats.Reads reads(Counters counters) {
    ReadCounters tables = parts.readCounters;
    return new Stats.Reads(
        counters.gets(),
        counters.memoryHits(),
        tables.cacheHits(),
        tables.pagesVerified(),
        tables.filterNegatives(),
        tables.falsePositives(),
        tables.lookupPages(),
        tables.pagesRead());
  }

  private Stats.Space space() {
    long disk = parts.directory.usedBytes();
    Version version = parts.versions.current();
    long live = version.l0().stream().mapToLong(Run::bytes).sum();
    live += version.partitions().stream().mapToLong(Partition::bytes).sum();
    live += version.segments().stream().mapToLong(SegmentAccount::liveBytes).sum();
    live +=
        parts.readStates.memory().stream().mapToLong(c -> c.log().recordBytes()).sum();
    long dead = version.segments().stream().mapToLong(SegmentAccount::deadBytes).sum();
    return new Stats.Space(disk, live, dead, parts.counters.freedSegments.sum());
  }

  private Stats.Mappings mappings() {
    long open = parts.files.openTables() + parts.values.openSegments();
    return new Stats.Mappings(open, parts.directory.mappingsMax());
  }

  private Map<String, Long> memory() {
    Map<String, Long> bytes = new TreeMap<>();
    long components =
        parts.readStates.memory().stream().mapToLong(MemoryComponent::heapBytes).sum();
    bytes.put("memory components", components);
    bytes.put("page cache", parts.cache.bytes());
    return bytes;
  }
}
