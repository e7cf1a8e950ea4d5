// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a simulated device: the safe bytes, and the write in progress.
 *
 * <p>Threads: guarded by the directory's monitor.
 */
final class SimulatedDisk {

  private static final int SECTOR_BYTES = 512;

  final byte[] bytes;
  private int at;
  private byte @Nullable [] underWay;

  /** Creates a disk with these bytes, all of them safe. */
  SimulatedDisk(byte[] bytes) {
    this.bytes = bytes;
  }

  void begin(int offset, byte[] written) {
    at = offset;
    underWay = written;
  }

  /** Completes the write in progress. */
  void finish() {
    byte[] written = underWay;
    if (written != null) {
      System.arraycopy(written, 0, bytes, at, written.length);
    }
  }

  /** Completes half of the write in progress, down to half a block. */
  void finishHalf() {
    byte[] written = underWay;
    if (written != null) {
      System.arraycopy(written, 0, bytes, at, written.length / 2);
    }
  }

  void end() {
    underWay = null;
  }

  SimulatedDisk copy() {
    return new SimulatedDisk(bytes.clone());
  }

  /**
   * Returns the survivor of a power loss. Of the write in progress, any blocks or sectors survive.
   */
  SimulatedDisk afterCrash(CrashStyle style, RandomGenerator random) {
    SimulatedDisk survivor = copy();
    byte[] written = underWay;
    if (written == null || style == CrashStyle.DROP_UNSYNCED) {
      return survivor;
    }
    int unit = style == CrashStyle.RANDOM_PAGES ? BlockDevice.BLOCK_BYTES : SECTOR_BYTES;
    double share = style == CrashStyle.KEEP_UNSYNCED ? 1 : random.nextDouble();
    for (int i = 0; i < written.length; i += unit) {
      if (random.nextDouble() < share) {
        System.arraycopy(written, i, survivor.bytes, at + i, unit);
      }
    }
    return survivor;
  }
}
