// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.background.BackgroundWork;
import io.github.rlsm.background.StoreFiles;
import io.github.rlsm.background.StoreMemory;
import io.github.rlsm.engine.EngineOpening;
import io.github.rlsm.logdevice.DirectLog;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.memory.MemoryComponent.MemtableStructure;
import io.github.rlsm.policy.CollectSettings;
import io.github.rlsm.policy.PolicySettings;
import io.github.rlsm.policy.StallPolicy;
import io.github.rlsm.table.PageCompression;
import io.github.rlsm.table.TableWriter;
import java.nio.file.Path;
import java.util.Map;

/** Converts options to engine settings. Divides the memory budget among the components. */
final class EngineSettingsOf {

  /** The maximum number of sealed components that wait for their flush. */
  private static final int SEALED_MAX = 3;

  private static final int SEGMENT_BYTES_MIN = 256 << 10;
  private static final int SEGMENT_BYTES_MAX = 64 << 20;
  private static final int DRAIN_BATCH_MAX = 1 << 15;
  private static final long TABLE_BYTES_MAX = 1L << 30;
  private static final long IDLE_NANOS = 1_000_000_000;
  private static final long MANIFEST_ROLL_BYTES = 4L << 20;

  private EngineSettingsOf() {}

  static EngineOpening.Settings options(RlsmOptions options) {
    int segmentBytes = segmentBytes(options);
    int entries = options.memtableEntries() > 0
        ? options.memtableEntries()
        : StoreMemory.Settings.defaultCapacity(segmentBytes);
    int drainBatch = Math.max(16, Math.min(DRAIN_BATCH_MAX, entries / 8));
    boolean compressed = options.compression() != Compression.NONE;
    MemoryComponent.Shape shape =
        new MemoryComponent.Shape(memtable(options), entries, drainBatch, 1);
    TableWriter.Settings tables = new TableWriter.Settings(
        options.pageBytes(), options.filterBitsPerKey(), compression(options));
    return new EngineOpening.Settings(
        new StoreFiles.Settings(
            tables,
            TABLE_BYTES_MAX,
            compressed ? options.memoryBudget() / 4 : 0,
            options.verifyChecksums() == VerifyChecksums.EVERY_READ,
            MANIFEST_ROLL_BYTES),
        new StoreMemory.Settings(segmentBytes, options.separationThreshold(), shape, SEALED_MAX),
        new BackgroundWork.Settings(
            policy(options, segmentBytes), collect(options), stall(options), IDLE_NANOS),
        new DirectLog.Settings(
            options.directLog().map(Path::toString).orElse(null), options.directLogFallback()),
        Map.of("keyHash", "xxh3-64"));
  }

  private static MemtableStructure memtable(RlsmOptions options) {
    return switch (options.memtable()) {
      case SORTED_RUNS -> MemtableStructure.SORTED_RUNS;
      case SKIP_LIST -> MemtableStructure.SKIP_LIST;
      case MULTI_INSERT -> MemtableStructure.MULTI_INSERT;
    };
  }

  /** Returns the compression of pages. The caller checks that its library is there. */
  static PageCompression compression(RlsmOptions options) {
    return switch (options.compression()) {
      case NONE -> PageCompression.NONE;
      case LZ4 -> PageCompression.LZ4;
      case ZSTD -> PageCompression.ZSTD;
    };
  }

  private static int segmentBytes(RlsmOptions options) {
    if (options.logSegmentBytes() > 0) {
      return options.logSegmentBytes() & -8;
    }
    long share = options.memoryBudget() / 8;
    return (int) Math.max(SEGMENT_BYTES_MIN, Math.min(SEGMENT_BYTES_MAX, share)) & -4096;
  }

  private static PolicySettings policy(RlsmOptions options, int segmentBytes) {
    PolicySettings defaults = PolicySettings.DEFAULT;
    return new PolicySettings(
        new PolicySettings.Level0(
            options.l0Trigger(),
            defaults.victimCountMin(),
            Math.max(defaults.compactBytesMax(), options.partitionBytes())),
        new PolicySettings.Partitions(
            options.partitionBytes() / 8, options.partitionBytes(), defaults.newRangeEntriesMin()),
        new PolicySettings.Runs(
            options.runsPerPartition(),
            options.linkBytes(),
            options.deadFraction(),
            defaults.pinnedFractionMax()),
        segmentBytes,
        options.backgroundThreads());
  }

  /** Accepts any space limit, however tight. A tighter limit costs more rewriting. */
  private static CollectSettings collect(RlsmOptions options) {
    CollectSettings defaults = CollectSettings.DEFAULT;
    double most = options.maxSpaceAmplification();
    return new CollectSettings(
        most,
        Math.min(options.restSpaceAmplification(), most),
        Math.max(defaults.liveFractionMax(), CollectSettings.worthwhileLiveFraction(most)),
        defaults.slackBytes(),
        defaults.movedBytesMin(),
        Math.max(defaults.movedBytesMin(), 2 * options.memoryBudget()));
  }

  private static StallPolicy.Limits stall(RlsmOptions options) {
    return new StallPolicy.Limits(
        SEALED_MAX + 1,
        Math.max(64, 8 * options.l0Trigger()),
        Math.max(4L << 30, 16 * options.partitionBytes()),
        0.6,
        8L << 20,
        1_000_000);
  }
}
