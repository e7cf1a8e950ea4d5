// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.io.BlockDevice;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.logdevice.DirectLog;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Draws sets of options, each option independently, with limits as small as in {@link TinyOptions}.
 * A store may be opened with any of these sets after any other.
 */
final class RandomOptions {

  /** Log devices of a store, outside of its directory. */
  static final List<String> DEVICES = List.of("/device-a", "/device-b");

  private static final int DEVICE_BLOCKS = 64;

  private final SplittableRandom random;

  private RandomOptions(SplittableRandom random) {
    this.random = random;
  }

  /** Draws a set of options. One set in three has the log on a device. */
  static RlsmOptions draw(SplittableRandom random) {
    return new RandomOptions(random).draw();
  }

  /** Creates an empty directory and the log devices. */
  static SimulatedDirectory directory(SplittableRandom random) {
    return directory(random.nextBoolean() ? 16 : 4096, random);
  }

  /** As {@link #directory(SplittableRandom)}, with the given smallest hole. */
  static SimulatedDirectory directory(int holeBytes, SplittableRandom random) {
    SimulatedDirectory directory = new SimulatedDirectory();
    directory.holeBytes(holeBytes);
    for (String path : DEVICES) {
      directory.addDevice(path, DEVICE_BLOCKS);
      try (BlockDevice device = directory.openDevice(path)) {
        DirectLog.format(device, random);
      }
    }
    // In every second store, values do not fit in memory, so flushes sort them.
    directory.memoryBytes(random.nextBoolean() ? 0 : Long.MAX_VALUE);
    return directory;
  }

  private RlsmOptions draw() {
    RlsmOptions.Builder builder = RlsmOptions.builder()
        .memoryBudget(1 << 20)
        .logSegmentBytes(oneOf(32 << 10, 64 << 10, 128 << 10))
        .separationThreshold(oneOf(1, 64, 200, 512, 4_000))
        .defaultDurability(oneOf(Durability.values()))
        .memtable(oneOf(MemtableKind.values()))
        .memtableEntries(oneOf(64, 256, 1024))
        .pageBytes(oneOf(512, 512, 1024, 4096))
        .filterBitsPerKey(oneOf(0, 5, 14))
        .compression(oneOf(Compression.values()))
        .verifyChecksums(oneOf(VerifyChecksums.values()))
        .partitionBytes(oneOf(8192, 16384, 65536))
        .runsPerPartition(oneOf(2, 6))
        .deadFraction(oneOf(0.01, 0.5, 0.9))
        .l0Trigger(oneOf(0, 1, 4))
        .linkBytes(oneOf(0, 300, 1000, 1 << 30))
        .maxSpaceAmplification(oneOf(1.05, 1.3, 4.0))
        .backgroundThreads(1);
    if (random.nextInt(3) == 0) {
      builder.directLog(Path.of(DEVICES.get(random.nextInt(DEVICES.size()))));
    }
    return builder.build();
  }

  @SafeVarargs
  private <T> T oneOf(T... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
