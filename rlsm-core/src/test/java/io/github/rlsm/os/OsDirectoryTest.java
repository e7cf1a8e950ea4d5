// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.rlsm.io.AppendFile;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreDirectoryContract;
import io.github.rlsm.kv.StoreIoException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests the operating system's directory, with native calls if present. */
class OsDirectoryTest extends StoreDirectoryContract {

  @TempDir
  Path temporary;

  @Override
  protected StoreDirectory newDirectory() {
    return OsDirectory.create(temporary.resolve("a/b/store"));
  }

  @Test
  void createMakesParentsAndAcceptsExistingDirectories() {
    Path path = temporary.resolve("x/y/z");
    OsDirectory.create(path).create("a").close();
    assertThat(path.resolve("a")).exists();
    assertThat(OsDirectory.create(path).list()).containsExactly("a");
    assertThat(OsDirectory.open(path).list()).containsExactly("a");
    assertThat(OsDirectory.open(path).path()).isEqualTo(path.toString());
  }

  @Test
  void openDoesNotCreateTheDirectory() {
    Path path = temporary.resolve("gone");
    assertThatExceptionOfType(StoreIoException.class)
        .isThrownBy(() -> OsDirectory.open(path))
        .withMessageContaining(path.toString())
        .withMessageContaining("no such file or directory");
    assertThat(path).doesNotExist();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void forgetEvictsPages() throws IOException {
    OsDirectory directory = OsDirectory.create(temporary.resolve("a"));
    assumeThat(Files.getFileStore(temporary).type()).isNotEqualTo("tmpfs"); // it is in memory
    int length = 1 << 20;
    try (MappedFile file = directory.createMapped("m", length)) {
      for (int at = 0; at < length / 2; at += 1_000) {
        file.memory().put(at, (byte) 1);
      }
      assertThat(file.residentBytes(0, length / 2)).isEqualTo(length / 2);
      file.force(0, length);
      file.forget();
      assertThat(file.residentBytes(0, length)).isZero();
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void forgetOfTheFirstBytesEvictsOnlyThem() throws IOException {
    OsDirectory directory = OsDirectory.create(temporary.resolve("a"));
    assumeThat(Files.getFileStore(temporary).type()).isNotEqualTo("tmpfs"); // it is in memory
    int half = 1 << 20;
    try (AppendFile file = directory.create("t")) {
      file.append(ByteBuffer.allocate(2 * half));
      file.force();
      file.forget(half);
    }
    try (MappedFile file = directory.openReadOnly("t")) {
      assertThat(file.residentBytes(0, half)).isZero();
      assertThat(file.residentBytes(half, half)).isEqualTo(half);
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void loadsOnlyWhatIsMissing() throws IOException {
    OsDirectory directory = OsDirectory.create(temporary.resolve("a"));
    assumeThat(Files.getFileStore(temporary).type()).isIn("ext4", "xfs");
    int piece = MappedFile.LOADED_BYTES;
    int length = 2 * piece + piece / 2;
    try (AppendFile file = directory.create("t")) {
      file.append(ByteBuffer.allocate(length));
      file.force();
      file.forget(length);
    }
    try (MappedFile file = directory.openReadOnly("t")) {
      assertThat(file.load(piece - 1)).isNegative();
      assertThat(file.residentBytes(0, length)).isZero();
      assertThat(file.load(2L * piece)).isNegative();
      assertThat(file.residentBytes(0, 2 * piece)).isEqualTo(2 * piece);
      assertThat(file.load(piece)).isEqualTo(piece / 2);
      assertThat(file.residentBytes(0, length)).isEqualTo(length);
      assertThat(file.load(0)).isZero();
    }
  }

  /** The range is longer than one read-ahead of the kernel, which runs in the background. */
  @Test
  @EnabledOnOs(OS.LINUX)
  @Timeout(60)
  void allThatWillBeNeededIsReadAhead() throws IOException {
    OsDirectory directory = OsDirectory.create(temporary.resolve("a"));
    assumeThat(Files.getFileStore(temporary).type()).isIn("ext4", "xfs");
    int length = 32 << 20;
    try (AppendFile file = directory.create("t")) {
      file.append(ByteBuffer.allocate(length));
      file.force();
      file.forget(length);
    }
    try (MappedFile file = directory.openReadOnly("t")) {
      assertThat(file.residentBytes(0, length)).isZero();
      file.advise(MappedFile.Advice.WILL_NEED, 0, length);
      while (file.residentBytes(0, length) < length) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void pathsThroughFilesAreRefused() throws IOException {
    Path file = Files.createFile(temporary.resolve("file"));
    assertThatExceptionOfType(StoreIoException.class)
        .isThrownBy(() -> OsDirectory.open(file))
        .withMessageContaining("not a directory");
    assertThatExceptionOfType(StoreIoException.class)
        .isThrownBy(() -> OsDirectory.create(file))
        .withMessageContaining(file.toString());
    assertThatExceptionOfType(StoreIoException.class)
        .isThrownBy(() -> OsDirectory.create(file.resolve("store")))
        .withMessageContaining("ot a directory");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void directoriesThatMayNotBeMadeAreRefused() {
    // No user may create directories there, not even root, who ignores permissions.
    assertThatExceptionOfType(StoreIoException.class)
        .isThrownBy(() -> OsDirectory.create(Path.of("/proc/store")))
        .withMessageContaining("/proc/store");
  }

  @Test
  void subdirectoriesAreNotListed() throws IOException {
    OsDirectory directory = OsDirectory.create(temporary.resolve("store"));
    directory.create("a").close();
    Files.createDirectory(temporary.resolve("store/lost+found"));
    assertThat(directory.list()).containsExactly("a");
  }

  @Test
  void filesTooLongToBeMappedAreRefused() throws IOException {
    OsDirectory directory = OsDirectory.create(temporary.resolve("store"));
    try (RandomAccessFile file =
        new RandomAccessFile(temporary.resolve("store/long").toFile(), "rw")) {
      file.setLength(3L << 30);
    }
    assertThatExceptionOfType(StoreIoException.class)
        .isThrownBy(() -> directory.openReadOnly("long"))
        .withMessageContaining("too long to be mapped");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void closingUnmaps() throws IOException {
    OsDirectory directory = OsDirectory.create(temporary.resolve("store"));
    MappedFile written = directory.createMapped("some-mapped-file", 100_000);
    MappedFile read = directory.openReadOnly("some-mapped-file");
    assertThat(mappings()).contains("some-mapped-file");
    written.close();
    read.close();
    assertThat(mappings()).doesNotContain("some-mapped-file");
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_22)
  void useOfClosedMemoryThrows() {
    OsDirectory directory = OsDirectory.create(temporary.resolve("store"));
    MappedFile file = directory.createMapped("m", 1000);
    ByteBuffer memory = file.memory();
    file.close();
    assertThatIllegalStateException().isThrownBy(() -> memory.get(0));
  }

  private static String mappings() throws IOException {
    return Files.readString(Path.of("/proc/self/maps"));
  }
}
