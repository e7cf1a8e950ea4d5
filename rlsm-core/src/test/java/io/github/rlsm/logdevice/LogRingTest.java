// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.logdevice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.io.BlockDevice;
import io.github.rlsm.io.SimulatedDirectory;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Tests when blocks of the ring may be overwritten.
 *
 * <p>Guards invariant I-10 of ARCHITECTURE.md.
 */
class LogRingTest {

  private static final String DEVICE = "device";
  private static final int BLOCKS = 20;

  private final SimulatedDirectory directory = new SimulatedDirectory();

  private LogRing open() {
    directory.addDevice(DEVICE, RingSuperblock.COUNT + BLOCKS);
    try (BlockDevice device = directory.openDevice(DEVICE)) {
      DirectLog.format(device, new SplittableRandom(1));
    }
    LogRing ring = LogRing.open(directory.openDevice(DEVICE));
    ring.begin(1, 7, true);
    return ring;
  }

  /**
   * A block that is torn while it overwrites another must not be the only block that allows this.
   */
  @Test
  void freesBlocksOnlyOnceADurableBlockSaysSo() {
    try (LogRing ring = open()) {
      for (int i = 0; i < BLOCKS - 1; i++) {
        ring.stateFloor();
      }
      ring.floor(10);
      assertThat(ring.freeBlocks()).as("before a block states the floor").isEqualTo(1);
      assertThat(ring.freeBlocksOnceStated()).isEqualTo(10);
      ring.stateFloor();
      assertThat(ring.freeBlocks()).isEqualTo(10);
    }
  }

  @Test
  void refusesToOverwriteNeededBlocks() {
    try (LogRing ring = open()) {
      for (int i = 0; i < BLOCKS; i++) {
        ring.append(List.of());
      }
      assertThat(ring.freeBlocks()).isZero();
      assertThatThrownBy(ring::stateFloor).isInstanceOf(IllegalStateException.class);
    }
  }
}
