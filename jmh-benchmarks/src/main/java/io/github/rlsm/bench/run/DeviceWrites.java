// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.run;

import io.github.rlsm.io.BlockDevice;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.os.OsDirectory;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Measures durable writes on the device, without a store. One thread writes single blocks, one
 * after the other, to a file that was written before, and bypasses the page cache. A store that
 * makes each put durable by itself cannot be faster.
 */
final class DeviceWrites {

  private static final int BLOCKS = 4096;

  private DeviceWrites() {}

  /**
   * Writes {@code count} blocks in the store's file system. Returns the duration in nanoseconds.
   */
  static long run(Path store, long count, Tally tally) {
    Path file = store.resolveSibling(store.getFileName() + ".blocks");
    OsDirectory.writeDeviceFile(file, (long) BLOCKS * BlockDevice.BLOCK_BYTES);
    try (StoreDirectory beside = OsDirectory.open(file.resolveSibling("."))) {
      long begin;
      long end;
      try (BlockDevice device = beside.openDevice(file.toAbsolutePath().toString())) {
        ByteBuffer block = BlockDevice.buffer(1);
        begin = System.nanoTime();
        for (long i = 0; i < count; i++) {
          block.putLong(0, i);
          long before = System.nanoTime();
          device.write(i % BLOCKS, block);
          tally.latency(Tally.Call.PUT).recordValue(System.nanoTime() - before);
          tally.countOperation();
        }
        end = System.nanoTime();
      }
      beside.delete(file.getFileName().toString());
      return end - begin;
    }
  }
}
