// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.run;

import io.github.rlsm.io.BlockDevice;
import io.github.rlsm.io.OsDirectory;
import io.github.rlsm.io.StoreDirectory;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * What the device takes for a durable write, whatever store is on it: single blocks, one after the
 * other by one thread, to a file that was written before, past the page cache. A store that makes
 * each put durable by itself cannot be faster.
 */
final class DeviceWrites {

  private static final int BLOCKS = 4096;

  private DeviceWrites() {}

  /** Writes so many blocks beside the store's files. Returns how many nanoseconds that took. */
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
