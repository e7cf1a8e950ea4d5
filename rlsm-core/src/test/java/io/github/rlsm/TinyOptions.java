// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.io.BlockDevice;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.logdevice.DirectLog;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * Sets of options with limits so small that a few hundred operations exercise every part of the
 * engine: flushes, compactions that link or copy, splits, merges, cleans.
 */
enum TinyOptions {
  /** All limits as small as possible; slices are linked. */
  LINKING(tiny().linkBytes(0).l0Trigger(0)),
  /** Slices are copied. */
  COPYING(tiny().linkBytes(1 << 30).l0Trigger(1)),
  /** Some slices are linked and some copied; almost all values in the value log. */
  SEPARATING(tiny().separationThreshold(1).linkBytes(600)),
  /** Values of medium size and more in the value log, partitions cleaned late. */
  MIXED(tiny().separationThreshold(64).deadFraction(0.9).partitionBytes(16384).memtableEntries(64)),
  /** The skip list, many runs before a partition is cleaned for their number. */
  SKIP_LIST(tiny().memtable(MemtableKind.SKIP_LIST).runsPerPartition(6).linkBytes(0)),
  /** The multi-insert memtable, no filters. */
  MULTI_INSERT(tiny().memtable(MemtableKind.MULTI_INSERT).filterBitsPerKey(0).linkBytes(300)),
  /** Compressed pages. */
  LZ4(tiny().compression(Compression.LZ4).pageBytes(1024).linkBytes(200)),
  /** Compressed pages, verified at each read. */
  ZSTD(tiny()
      .compression(Compression.ZSTD)
      .verifyChecksums(VerifyChecksums.EVERY_READ)
      .partitionBytes(8192)
      .linkBytes(0)),
  /** Uncompressed pages verified at each read; partitions are cleaned as early as possible. */
  EVERY_READ(
      tiny().verifyChecksums(VerifyChecksums.EVERY_READ).deadFraction(0.01).l0Trigger(3)),
  /** Larger components, so that flushes come from calls and not from full components. */
  ROOMY(tiny().logSegmentBytes(64 << 10).memtableEntries(512).l0Trigger(4).partitionBytes(65536)),
  /** The log on a device whose ring is so short that it wraps often. */
  DIRECT(tiny().directLog(Path.of("/device")).logSegmentBytes(64 << 10).memtableEntries(512)),
  /** The log on a longer device, with large values and frequent flushes. */
  DIRECT_LARGE(tiny().directLog(Path.of("/device")).separationThreshold(64).memtableEntries(64));

  /** Size of the device of {@link #DIRECT}, in blocks. */
  private static final int DEVICE_BLOCKS = 16;

  @SuppressWarnings("ImmutableEnumChecker") // options are immutable, but not marked so
  private final RlsmOptions options;

  TinyOptions(RlsmOptions.Builder builder) {
    this.options = builder.build();
  }

  RlsmOptions options() {
    return options;
  }

  /** Creates an empty directory, and a log device if the options name one. */
  SimulatedDirectory directory() {
    SimulatedDirectory directory = new SimulatedDirectory();
    options.directLog().map(Path::toString).ifPresent(path -> {
      directory.addDevice(path, this == DIRECT ? DEVICE_BLOCKS : 4 * DEVICE_BLOCKS);
      try (BlockDevice device = directory.openDevice(path)) {
        DirectLog.format(device, new SplittableRandom(1));
      }
    });
    return directory;
  }

  private static RlsmOptions.Builder tiny() {
    return RlsmOptions.builder()
        .memoryBudget(1 << 20)
        .logSegmentBytes(16 << 10)
        .memtableEntries(16)
        .separationThreshold(200)
        .pageBytes(512)
        .partitionBytes(4096)
        .runsPerPartition(2)
        .l0Trigger(1)
        .linkBytes(1000)
        .backgroundThreads(1);
  }
}
