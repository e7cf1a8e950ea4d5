// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.io.BlockDevice;
import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.kv.StoreLockedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a file that replaces a device, with direct I/O. */
class OsBlockDeviceTest {

  @TempDir
  Path temporary;

  private Path file = Path.of("");

  @BeforeEach
  void make() {
    file = temporary.resolve("device");
    OsDirectory.writeDeviceFile(file, 10L * BlockDevice.BLOCK_BYTES + 100);
  }

  private BlockDevice open() {
    return OsDirectory.open(temporary).openDevice("device");
  }

  private static ByteBuffer filled(int blocks, int seed) {
    ByteBuffer buffer = BlockDevice.buffer(blocks);
    for (int i = 0; i < buffer.capacity(); i++) {
      buffer.put(i, (byte) (seed + i / 7));
    }
    return buffer;
  }

  @Test
  void readsWhatWasWritten() throws IOException {
    try (BlockDevice device = open()) {
      assertThat(device.blocks()).isEqualTo(10);
      assertThat(device.path()).isEqualTo(file.toString());
      ByteBuffer three = filled(3, 1);
      device.write(7, three);
      device.write(2, BlockDevice.part(three, 1, 1));
      ByteBuffer back = BlockDevice.buffer(3);
      device.read(7, back);
      assertThat(back).isEqualTo(three);
      device.read(2, BlockDevice.part(back, 2, 1));
      assertThat(BlockDevice.part(back, 2, 1)).isEqualTo(BlockDevice.part(three, 1, 1));
    }
    byte[] bytes = Files.readAllBytes(file);
    assertThat(bytes).hasSize(10 * BlockDevice.BLOCK_BYTES + 100);
    assertThat(bytes[8 * BlockDevice.BLOCK_BYTES]).isEqualTo((byte) (1 + 4096 / 7));
  }

  @Test
  void interruptBreaksNoReadAndStaysPending() {
    try (BlockDevice device = open()) {
      Thread.currentThread().interrupt();
      device.write(0, filled(2, 3));
      assertThat(Thread.interrupted()).isTrue();
      Thread.currentThread().interrupt();
      ByteBuffer back = BlockDevice.buffer(2);
      device.read(0, back);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(back).isEqualTo(filled(2, 3));
    }
  }

  @Test
  void accessOutsideOfTheDeviceIsRefused() {
    try (BlockDevice device = open()) {
      assertThatThrownBy(() -> device.write(9, filled(2, 1)))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> device.read(-1, filled(1, 1)))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void deviceCannotBeOpenedTwice() throws IOException {
    Files.createSymbolicLink(temporary.resolve("link"), file);
    BlockDevice device = open();
    assertThatThrownBy(() -> OsDirectory.open(temporary).openDevice("link"))
        .isInstanceOf(StoreLockedException.class);
    device.close();
    device.close();
    assertThatThrownBy(() -> device.read(0, filled(1, 1)))
        .isInstanceOf(IllegalStateException.class);
    open().close();
  }

  @Test
  void missingDeviceIsReported() {
    assertThatExceptionOfType(StoreIoException.class)
        .isThrownBy(() -> OsDirectory.open(temporary).openDevice("missing"))
        .withMessageContaining("missing")
        .withMessageContaining("no such file");
  }
}
