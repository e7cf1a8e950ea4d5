// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.rlsm.io.AppendFile;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.kv.DiskFullException;
import io.github.rlsm.kv.StoreIoException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests a really full disk: 256 KiB in memory. Skipped if it cannot be mounted. */
@EnabledOnOs(OS.LINUX)
class OsDirectoryFullDiskTest {

  private static final int DISK_BYTES = 256 << 10;

  @TempDir
  Path temporary;

  @BeforeEach
  void mount() throws Exception {
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=" + DISK_BYTES, "tmpfs", temporary.toString()) == 0,
        "mounting a small disk needs root");
  }

  @AfterEach
  void unmount() throws Exception {
    run("umount", temporary.toString());
  }

  @Test
  void mappedFileThatDoesNotFitLeavesNothing() {
    mappedFileThatDoesNotFitLeavesNothing(NativeCalls.get().orElse(null));
  }

  @Test
  void mappedFileThatDoesNotFitLeavesNothingWithoutNatives() {
    mappedFileThatDoesNotFitLeavesNothing(null);
  }

  private void mappedFileThatDoesNotFitLeavesNothing(@Nullable NativeCalls natives) {
    OsDirectory directory = new OsDirectory(temporary, natives);
    assertThatExceptionOfType(DiskFullException.class)
        .isThrownBy(() -> directory.createMapped("big", 2 * DISK_BYTES))
        .withMessageContaining("big");
    assertThat(directory.list()).isEmpty();
    assertThat(directory.freeBytes()).isEqualTo(DISK_BYTES);
  }

  @Test
  void reservedRoomIsThereWhenTheDiskIsFull() throws IOException {
    reservedRoomIsThereWhenTheDiskIsFull(NativeCalls.get().orElse(null));
  }

  @Test
  void reservedRoomIsThereWhenTheDiskIsFullWithoutNatives() throws IOException {
    reservedRoomIsThereWhenTheDiskIsFull(null);
  }

  private void reservedRoomIsThereWhenTheDiskIsFull(@Nullable NativeCalls natives)
      throws IOException {
    OsDirectory directory = new OsDirectory(temporary, natives);
    try (MappedFile reserved = directory.createMapped("reserved", 100_000)) {
      fill(directory);
      for (int i = 0; i < reserved.length(); i++) {
        reserved.memory().put(i, (byte) i);
      }
      reserved.force(0, reserved.length());
    }
    assertThat(Files.readAllBytes(temporary.resolve("reserved")))
        .hasSize(100_000)
        .endsWith(-97);
  }

  @Test
  void fileThatRanFullStaysFailed() {
    OsDirectory directory = OsDirectory.open(temporary);
    directory.createMapped("other", 50_000).close();
    try (AppendFile file = directory.create("a")) {
      assertThatExceptionOfType(DiskFullException.class)
          .isThrownBy(() -> file.append(ByteBuffer.allocate(DISK_BYTES)));
      directory.delete("other");
      assertThatExceptionOfType(DiskFullException.class)
          .isThrownBy(() -> file.append(ByteBuffer.allocate(1)));
      assertThatExceptionOfType(StoreIoException.class).isThrownBy(file::force);
    }
    directory.delete("a");
    try (AppendFile file = directory.create("a")) {
      file.append(ByteBuffer.allocate(1000));
      file.force();
    }
  }

  @Test
  void copyWithHolesIsNotMappedOnAFullDisk() throws IOException {
    assumeTrue(NativeCalls.get().isPresent(), "filling holes needs native calls");
    OsDirectory directory = OsDirectory.open(temporary);
    try (RandomAccessFile sparse =
        new RandomAccessFile(temporary.resolve("sparse").toFile(), "rw")) {
      sparse.setLength(50_000);
    }
    fill(directory);
    assertThatExceptionOfType(DiskFullException.class)
        .isThrownBy(() -> directory.openMapped("sparse"));
    directory.delete("filler");
    try (MappedFile file = directory.openMapped("sparse")) {
      fill(directory);
      file.memory().put(40_000, (byte) 1);
    }
  }

  @Test
  void lockedOnceCanBeLockedOnAFullDisk() {
    OsDirectory directory = OsDirectory.open(temporary);
    directory.lock().close();
    fill(directory);
    directory.lock().close();
  }

  private static void fill(OsDirectory directory) {
    try (AppendFile filler = directory.create("filler")) {
      assertThatExceptionOfType(DiskFullException.class)
          .isThrownBy(() -> filler.append(ByteBuffer.allocate(2 * DISK_BYTES)));
    }
    assertThat(directory.freeBytes()).isZero();
  }

  private static int run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }
}
