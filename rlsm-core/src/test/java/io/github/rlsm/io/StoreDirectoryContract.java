// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.kv.StoreLockedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The behavior of every {@link StoreDirectory}. */
public abstract class StoreDirectoryContract {

  private StoreDirectory directory;

  /** Returns a new, empty directory. */
  protected abstract StoreDirectory newDirectory();

  @BeforeEach
  void open() {
    directory = newDirectory();
  }

  @AfterEach
  void close() {
    directory.close();
  }

  @Test
  void newDirectoryIsEmpty() {
    assertThat(directory.list()).isEmpty();
    assertThat(directory.exists("a")).isFalse();
    assertThat(directory.freeBytes()).isPositive();
    assertThat(directory.freeMemoryBytes()).isPositive();
    assertThat(directory.path()).isNotBlank();
  }

  @Test
  void appendedBytesAreRead() {
    try (AppendFile file = directory.create("a")) {
      assertThat(file.name()).isEqualTo("a");
      assertThat(file.length()).isZero();
      ByteBuffer bytes = ByteBuffer.wrap(ascii("..hello..")).position(2).limit(7);
      file.append(bytes);
      assertThat(bytes.position()).isEqualTo(7);
      assertThat(file.length()).isEqualTo(5);
      file.append(ByteBuffer.allocate(0));
      file.append(ByteBuffer.wrap(ascii(", world")).asReadOnlyBuffer());
      file.force();
      assertThat(file.length()).isEqualTo(12);
    }
    assertThat(directory.list()).containsExactly("a");
    assertThat(directory.exists("a")).isTrue();
    assertThat(directory.size("a")).isEqualTo(12);
    assertThat(text("a")).isEqualTo("hello, world");
  }

  @Test
  void appendTakesBuffersOfAllKindsAndSizes() {
    byte[] pattern = new byte[300_000];
    IntStream.range(0, pattern.length).forEach(i -> pattern[i] = (byte) ((i * 31) >> 3));
    ByteBuffer direct = ByteBuffer.allocateDirect(pattern.length).put(0, pattern);
    ByteBuffer slice = ByteBuffer.wrap(pattern, 1000, 200_000).slice();
    try (AppendFile file = directory.create("a")) {
      file.append(direct);
      file.append(slice);
      assertThat(direct.hasRemaining()).isFalse();
      assertThat(file.length()).isEqualTo(500_000);
    }
    byte[] found = bytes("a");
    assertThat(found).startsWith(pattern);
    assertThat(ByteBuffer.wrap(found, 300_000, 200_000))
        .isEqualTo(ByteBuffer.wrap(pattern, 1000, 200_000));
  }

  @Test
  void openAppendGoesOnAtTheEnd() {
    write("a", "one");
    try (AppendFile file = directory.openAppend("a")) {
      assertThat(file.length()).isEqualTo(3);
      file.append(ByteBuffer.wrap(ascii("two")));
      assertThat(file.length()).isEqualTo(6);
    }
    assertThat(text("a")).isEqualTo("onetwo");
  }

  @Test
  void createdNamesMustBeFree() {
    write("a", "one");
    assertIoFailure("a", () -> directory.create("a"));
    assertIoFailure("a", () -> directory.createMapped("a", 10));
    assertThat(text("a")).isEqualTo("one");
  }

  @Test
  void missingFilesAreNamed() {
    assertIoFailure("gone", () -> directory.openAppend("gone"));
    assertIoFailure("gone", () -> directory.openMapped("gone"));
    assertIoFailure("gone", () -> directory.openReadOnly("gone"));
    assertIoFailure("gone", () -> directory.size("gone"));
    assertIoFailure("gone", () -> directory.rename("gone", "b"));
    assertIoFailure("gone", () -> directory.delete("gone"));
    assertThat(directory.list()).isEmpty();
  }

  @Test
  void namesStayInTheDirectory() {
    assertThatIllegalArgumentException().isThrownBy(() -> directory.create("../a"));
    assertThatIllegalArgumentException().isThrownBy(() -> directory.createMapped("b/a", 1));
    write("a", "one");
    assertThatIllegalArgumentException().isThrownBy(() -> directory.rename("a", "/b"));
  }

  @Test
  void mappedFileIsZerosThenWhatWasStored() {
    try (MappedFile file = directory.createMapped("m", 10_000)) {
      assertThat(file.name()).isEqualTo("m");
      assertThat(file.length()).isEqualTo(10_000);
      ByteBuffer memory = file.memory();
      assertThat(memory).isSameAs(file.memory());
      assertThat(memory.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
      assertThat(memory.capacity()).isEqualTo(10_000);
      assertThat(memory).isEqualTo(ByteBuffer.allocate(10_000));
      memory.putLong(5_000, 0x0102030405060708L);
      file.force(5_000, 8);
      file.force(0, 0);
      file.force(0, 10_000);
    }
    assertThat(directory.size("m")).isEqualTo(10_000);
    try (MappedFile file = directory.openMapped("m")) {
      assertThat(file.memory().get(5_000)).isEqualTo((byte) 8);
      file.memory().put(9_999, (byte) 7);
    }
    try (MappedFile file = directory.openReadOnly("m")) {
      assertThat(file.length()).isEqualTo(10_000);
      assertThat(file.memory().order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
      assertThat(file.memory().getLong(5_000)).isEqualTo(0x0102030405060708L);
      assertThat(file.memory().get(9_999)).isEqualTo((byte) 7);
    }
  }

  @Test
  void storesAreSeenThroughOtherMappings() {
    try (MappedFile first = directory.createMapped("m", 100);
        MappedFile second = directory.openMapped("m");
        MappedFile reader = directory.openReadOnly("m")) {
      first.memory().put(1, (byte) 1);
      second.memory().put(2, (byte) 2);
      assertThat(reader.memory().get(1)).isEqualTo((byte) 1);
      assertThat(reader.memory().get(2)).isEqualTo((byte) 2);
    }
  }

  @Test
  void mappedLengthMustBePositive() {
    assertThatIllegalArgumentException().isThrownBy(() -> directory.createMapped("m", 0));
    assertThatIllegalArgumentException().isThrownBy(() -> directory.createMapped("m", -1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> directory.createMapped("m", Integer.MAX_VALUE));
    assertThat(directory.exists("m")).isFalse();
  }

  @Test
  void readOnlyMemoryRefusesStores() {
    write("a", "one");
    try (MappedFile file = directory.openReadOnly("a")) {
      assertThatExceptionOfType(ReadOnlyBufferException.class)
          .isThrownBy(() -> file.memory().put(0, (byte) 1));
      file.force(0, 3);
    }
    assertThat(text("a")).isEqualTo("one");
  }

  @Test
  void emptyFilesCanBeMapped() {
    write("a", "");
    try (MappedFile reader = directory.openReadOnly("a");
        MappedFile writer = directory.openMapped("a")) {
      for (MappedFile file : List.of(reader, writer)) {
        assertThat(file.length()).isZero();
        assertThat(file.memory().capacity()).isZero();
        file.force(0, 0);
        file.advise(MappedFile.Advice.WILL_NEED, 0, 0);
      }
    }
    assertThat(directory.size("a")).isZero();
  }

  @Test
  void cutFilesKeepTheirBeginning() {
    try (MappedFile file = directory.createMapped("m", 100_000)) {
      for (int i = 0; i < 100_000; i += 1000) {
        file.memory().putInt(i, i);
      }
      for (int length : new int[] {100_000, 50_004, 50_004, 5_000, 1}) {
        file.truncate(length);
        assertThat(file.length()).isEqualTo(length);
        assertThat(directory.size("m")).isEqualTo(length);
        for (int i = 0; i < length - 3; i += 1000) {
          assertThat(file.memory().getInt(i)).isEqualTo(i);
        }
        file.force(0, length);
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
            .isThrownBy(() -> file.force(0, length + 1));
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
            .isThrownBy(() -> file.truncate(length + 1));
      }
      assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> file.truncate(0));
    }
    try (MappedFile again = directory.openReadOnly("m")) {
      assertThat(again.length()).isEqualTo(1);
    }
  }

  /** Another thread may truncate a file between a caller's look at its length and the advice. */
  @ParameterizedTest
  @EnumSource
  void adviceReachesPastTheEndOfATruncatedFile(MappedFile.Advice advice) {
    int length = 100_000;
    try (MappedFile file = directory.createMapped("m", length)) {
      file.memory().putInt(0, 7);
      file.force(0, length);
      file.truncate(5_000);
      file.advise(advice, 0, length);
      file.advise(advice, 50_000, length - 50_000);
      assertThat(file.memory().getInt(0)).isEqualTo(7);
      assertThat(file.length()).isEqualTo(5_000);
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> file.advise(advice, 1, length));
    }
  }

  /** Holds for any length of the range, and for any effect of a force on the pages. */
  @Test
  void storesDuringAForceSurvive() {
    int length = 1 << 20;
    int rounds = 20;
    try (MappedFile file = directory.createMapped("m", length)) {
      ByteBuffer memory = file.memory(); // cached: a simulated file takes a lock for it
      CompletableFuture<Void> stores = CompletableFuture.runAsync(() -> {
        for (int round = 1; round <= rounds; round++) {
          for (int i = 0; i < length; i += Integer.BYTES) {
            if (memory.getInt(i) != round - 1) {
              throw new AssertionError(memory.getInt(i) + " at " + i + ", round " + round);
            }
            memory.putInt(i, round);
          }
        }
      });
      do {
        file.force(0, length);
      } while (!stores.isDone());
      stores.join();
      file.force(0, length);
      try (MappedFile other = directory.openReadOnly("m")) {
        ByteBuffer found = other.memory();
        assertThat(IntStream.range(0, length / Integer.BYTES))
            .allMatch(i -> found.getInt(i * Integer.BYTES) == rounds);
      }
    }
  }

  @Test
  void holesFreeSpace() {
    long unit = directory.holeBytes();
    try (MappedFile file = directory.createMapped("m", 100_000)) {
      for (int i = 0; i < 100_000; i++) {
        file.memory().put(i, (byte) 1);
      }
      file.force(0, 100_000);
      assertThat(directory.usedBytes("m")).isEqualTo(100_000);
      boolean punched = directory.punch(
          "m",
          unit == 0 ? new long[0] : new long[] {hole(unit, 2 * unit), hole(3 * unit, 6 * unit)});
      assertThat(punched).isEqualTo(unit > 0);
      // Some file systems count the whole last block.
      assertThat(directory.usedBytes("m")).isBetween(100_000L - 4 * unit, 100_000L - 3 * unit);
      assertThat(directory.usedBytes()).isEqualTo(directory.usedBytes("m"));
      assertThat(directory.size("m")).isEqualTo(100_000);
      try (MappedFile other = directory.openReadOnly("m")) {
        for (int i = 0; i < 100_000; i++) {
          long block = unit == 0 ? 0 : i / unit;
          int expected = block == 1 || (block >= 3 && block < 6) ? 0 : 1;
          assertThat(file.memory().get(i)).as("byte %d", i).isEqualTo((byte) expected);
          assertThat(other.memory().get(i)).as("byte %d", i).isEqualTo((byte) expected);
        }
      }
    }
    if (unit > 0) {
      assertIoFailure("gone", () -> directory.usedBytes("gone"));
    }
  }

  private static long hole(long from, long to) {
    return (from << Integer.SIZE) | to;
  }

  @Test
  void closedFilesOfAnyLengthAreDeleted() {
    for (int length : new int[] {1, 4 << 20, (4 << 20) + 1, 9 << 20}) {
      directory.createMapped("m", length).close();
      directory.deleteClosed("m");
      assertThat(directory.exists("m")).isFalse();
    }
    assertIoFailure("gone", () -> directory.deleteClosed("gone"));
  }

  @Test
  void adviceChangesNothing() {
    try (MappedFile file = directory.createMapped("m", 20_000)) {
      file.memory().put(12_345, (byte) 1);
      for (MappedFile.Advice advice : MappedFile.Advice.values()) {
        file.advise(advice, 0, 20_000);
        file.advise(advice, 12_345, 1);
        file.advise(advice, 20_000, 0);
      }
      assertThat(file.memory().get(12_345)).isEqualTo((byte) 1);
    }
  }

  @Test
  void evictedAppendedBytesAreReadAgain() {
    byte[] bytes = new byte[100_000];
    Arrays.fill(bytes, (byte) 7);
    try (AppendFile file = directory.create("a")) {
      file.append(ByteBuffer.wrap(bytes));
      file.force();
      file.forget(50_000);
      file.append(ByteBuffer.wrap(bytes));
      file.force();
      file.forget(200_000);
      file.forget(0);
    }
    try (MappedFile file = directory.openReadOnly("a")) {
      byte[] read = new byte[200_000];
      file.memory().get(0, read);
      assertThat(read).containsOnly((byte) 7);
    }
  }

  @Test
  void evictedMappedBytesAreReadAgain() {
    try (MappedFile file = directory.createMapped("m", 1 << 20)) {
      file.memory().put(12_345, (byte) 1).put((1 << 20) - 1, (byte) 2);
      assertThat(file.residentBytes(12_345, 1)).isEqualTo(1);
      file.force(0, 1 << 20);
      file.forget();
      assertThat(file.residentBytes(0, 1 << 20)).isBetween(0, 1 << 20);
      assertThat(file.residentBytes(100, 0)).isZero();
      assertThat(file.memory().get(12_345)).isEqualTo((byte) 1);
      assertThat(file.memory().get((1 << 20) - 1)).isEqualTo((byte) 2);
    }
  }

  @Test
  void rangesAreChecked() {
    try (MappedFile file = directory.createMapped("m", 100)) {
      for (int[] range :
          new int[][] {{-1, 1}, {0, 101}, {100, 1}, {1, -1}, {1, Integer.MAX_VALUE}}) {
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
            .isThrownBy(() -> file.force(range[0], range[1]));
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
            .isThrownBy(() -> file.advise(MappedFile.Advice.RANDOM, range[0], range[1]));
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
            .isThrownBy(() -> file.residentBytes(range[0], range[1]));
      }
    }
  }

  @Test
  void closedFilesRefuseWork() {
    AppendFile appended = directory.create("a");
    appended.close();
    appended.close();
    assertThatIllegalStateException().isThrownBy(() -> appended.append(ByteBuffer.allocate(1)));
    assertThatIllegalStateException().isThrownBy(appended::force);
    MappedFile mapped = directory.createMapped("m", 100);
    mapped.close();
    mapped.close();
    assertThatIllegalStateException().isThrownBy(mapped::memory);
    assertThatIllegalStateException().isThrownBy(() -> mapped.force(0, 100));
    assertThatIllegalStateException()
        .isThrownBy(() -> mapped.advise(MappedFile.Advice.DONT_NEED, 0, 100));
    assertThatIllegalStateException().isThrownBy(() -> mapped.residentBytes(0, 100));
    assertThatIllegalStateException().isThrownBy(mapped::forget);
  }

  @Test
  void renameReplaces() {
    write("a", "one");
    write("b", "two");
    directory.rename("a", "b");
    assertThat(directory.list()).containsExactly("b");
    assertThat(text("b")).isEqualTo("one");
    directory.rename("b", "c");
    directory.syncDirectory();
    assertThat(directory.list()).containsExactly("c");
  }

  @Test
  void openFilesOutliveTheirNames() {
    write("a", "one");
    write("b", "two");
    try (MappedFile deleted = directory.openReadOnly("a");
        MappedFile replaced = directory.openReadOnly("b");
        AppendFile appended = directory.create("c")) {
      directory.delete("a");
      directory.rename("c", "b");
      directory.delete("b");
      assertThat(directory.list()).isEmpty();
      appended.append(ByteBuffer.wrap(ascii("three")));
      appended.force();
      assertThat(StandardCharsets.US_ASCII.decode(deleted.memory().duplicate()).toString())
          .isEqualTo("one");
      assertThat(StandardCharsets.US_ASCII.decode(replaced.memory().duplicate()).toString())
          .isEqualTo("two");
    }
  }

  @Test
  void oneStoreAtATime() {
    StoreDirectory.Lock lock = directory.lock();
    assertThat(directory.list()).containsExactly(StoreFileName.LOCK);
    assertThatExceptionOfType(StoreLockedException.class)
        .isThrownBy(() -> directory.lock())
        .withMessageContaining(directory.path())
        .withMessageContaining("process");
    lock.close();
    lock.close();
    directory.lock().close();
  }

  @Test
  void threadsShareADirectory() {
    CompletableFuture.allOf(IntStream.range(0, 8)
            .mapToObj(t -> CompletableFuture.runAsync(() -> churn("file" + t)))
            .toArray(CompletableFuture[]::new))
        .join();
    assertThat(directory.list())
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, 8).mapToObj(t -> "file" + t).toList());
  }

  private void churn(String name) {
    for (int i = 0; i < 20; i++) {
      try (MappedFile mapped = directory.createMapped(name + "m", 5_000)) {
        mapped.memory().put(i, (byte) i);
        mapped.force(0, 100);
      }
      write(name + "t", "round " + i);
      directory.rename(name + "t", name);
      assertThat(text(name)).isEqualTo("round " + i);
      directory.delete(name + "m");
      directory.syncDirectory();
    }
  }

  @Test
  void aLinkedFileIsNeverChanged() throws IOException {
    int length = 5 << 20;
    byte[] before;
    try (MappedFile file = directory.createMapped("m", length)) {
      for (int at = 0; at < length; at += 1000) {
        file.memory().put(at, (byte) (at / 1000 + 1));
      }
      assertThat(directory.isLinked("m")).isFalse();
      link("m", "copy");
      assertThat(directory.isLinked("m")).isTrue();
      assertThat(directory.isLinked("copy")).isTrue();
      before = bytes("copy");
      file.truncate(10);
      assertThat(file.length()).isEqualTo(length);
      int hole = Math.max(1, directory.holeBytes());
      assertThat(directory.punch("m", new long[] {(long) hole << Integer.SIZE | 2L * hole}))
          .isFalse();
    }
    directory.deleteClosed("m");
    assertThat(directory.exists("m")).isFalse();
    assertThat(bytes("copy")).isEqualTo(before);
    assertThat(directory.isLinked("copy")).isFalse();
    directory.replaceByCopy("copy", "temporary");
    assertThat(bytes("copy")).isEqualTo(before);
  }

  private void link(String from, String to) throws IOException {
    if (directory instanceof SimulatedDirectory simulated) {
      simulated.link(from, to);
      return;
    }
    try {
      Path root = Path.of(directory.path());
      Files.createLink(root.resolve(to), root.resolve(from));
    } catch (UnsupportedOperationException | FileSystemException e) {
      Assumptions.abort("the file system has no hard links: " + e);
    }
  }

  private void write(String name, String text) {
    try (AppendFile file = directory.create(name)) {
      file.append(ByteBuffer.wrap(ascii(text)));
    }
  }

  private String text(String name) {
    return new String(bytes(name), StandardCharsets.US_ASCII);
  }

  private byte[] bytes(String name) {
    try (MappedFile file = directory.openReadOnly(name)) {
      byte[] bytes = new byte[file.length()];
      file.memory().get(0, bytes);
      return bytes;
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static void assertIoFailure(String name, Runnable call) {
    assertThatExceptionOfType(StoreIoException.class)
        .isThrownBy(call::run)
        .satisfies(failure -> assertThat(failure.file()).endsWith(name))
        .withMessageContaining(name);
  }
}
