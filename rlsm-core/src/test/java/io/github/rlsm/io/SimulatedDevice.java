// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A {@link BlockDevice} of a simulated directory.
 *
 * <p>Threads: as the interface requires.
 */
final class SimulatedDevice extends SimulatedHandle implements BlockDevice {

  private final SimulatedDisk disk;

  SimulatedDevice(SimulatedDirectory directory, String path, SimulatedDisk disk) {
    super(directory, path, SimulatedFile.empty(), "device");
    this.disk = disk;
  }

  @Override
  public String path() {
    return name();
  }

  @Override
  public long blocks() {
    return disk.bytes.length / BLOCK_BYTES;
  }

  @Override
  public void read(long block, ByteBuffer buffer) {
    Objects.checkFromIndexSize(block, buffer.capacity() / BLOCK_BYTES, blocks());
    perform(
        IoEvent.Kind.READ_DEVICE,
        () -> buffer.put(0, disk.bytes, (int) block * BLOCK_BYTES, buffer.capacity()),
        () -> buffer.put(0, disk.bytes, (int) block * BLOCK_BYTES, buffer.capacity() / 2));
  }

  @Override
  public void write(long block, ByteBuffer buffer) {
    Objects.checkFromIndexSize(block, buffer.capacity() / BLOCK_BYTES, blocks());
    byte[] written = new byte[buffer.capacity()];
    buffer.get(0, written);
    directory.atomically(() -> {
      disk.begin((int) block * BLOCK_BYTES, written);
      return true;
    });
    try {
      perform(IoEvent.Kind.WRITE_DEVICE, disk::finish, disk::finishHalf);
    } finally {
      directory.atomically(() -> {
        disk.end();
        return true;
      });
    }
  }

  @Override
  void release() {
    directory.deviceClosed(name());
  }
}
