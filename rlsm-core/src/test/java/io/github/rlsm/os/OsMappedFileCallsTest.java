// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.rlsm.kv.StoreIoException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests reads and writes of mapped files by system calls. */
@EnabledOnOs(OS.LINUX)
class OsMappedFileCallsTest {

  private static final int LENGTH = 1 << 20;
  private static final int PAGE = 4 << 10;

  @TempDir
  Path temporary;

  private final NativeCalls natives = NativeCalls.get().orElseThrow();
  private final List<Integer> opened = new ArrayList<>();
  private final List<Integer> closed = new ArrayList<>();
  private final ByteBuffer into = ByteBuffer.allocateDirect(2 * PAGE);
  private final CountDownLatch forceBegun = new CountDownLatch(1);
  private final CountDownLatch forceMayEnd = new CountDownLatch(1);
  private long descriptorsMax = Long.MAX_VALUE;
  private Path path;

  @BeforeEach
  void createFile() throws IOException {
    path = temporary.resolve("f");
    byte[] bytes = new byte[LENGTH];
    for (int i = 0; i < LENGTH; i++) {
      bytes[i] = byteAt(i);
    }
    Files.write(path, bytes);
  }

  private static byte byteAt(int offset) {
    return (byte) (offset * 31 + offset / 251);
  }

  /** Returns the calls of the system, with another limit; they note their descriptors. */
  private NativeCalls noted() {
    return (NativeCalls) Proxy.newProxyInstance(
        NativeCalls.class.getClassLoader(),
        new Class<?>[] {NativeCalls.class},
        (proxy, method, arguments) -> {
          if (method.getName().equals("descriptorsMax")) {
            return descriptorsMax;
          }
          if (method.getName().equals("advise")) {
            forceBegun.countDown();
            forceMayEnd.await();
          }
          Object result = method.invoke(natives, arguments);
          if (method.getName().equals("open")) {
            opened.add((Integer) result);
          } else if (method.getName().equals("close")) {
            closed.add((Integer) arguments[0]);
          }
          return result;
        });
  }

  private void assertRead(int offset, int length) {
    for (int i = 0; i < length; i++) {
      assertThat(into.get(i)).isEqualTo(byteAt(offset + i));
    }
    assertThat(into.position()).isZero();
  }

  @Test
  void readCopiesTheRange() throws IOException {
    try (OsMappedFile file = OsMappedFile.openReadOnly(path, natives)) {
      assertThat(file.read(5_001, 1_000, into)).isTrue();
      assertRead(5_001, 1_000);
      assertThat(file.read(LENGTH - 3, 3, into)).isTrue();
      assertRead(LENGTH - 3, 3);
    }
  }

  @Test
  void readBringsInItsPagesOnly() throws IOException {
    assumeThat(Files.getFileStore(temporary).type()).isIn("ext4", "xfs");
    try (OsMappedFile file = OsMappedFile.openWritable(path, natives)) {
      file.force(0, LENGTH);
      file.forget();
      assertThat(file.residentBytes(0, LENGTH)).isZero();
      assertThat(file.read(10 * PAGE - 100, 200, into)).isTrue();
      assertRead(10 * PAGE - 100, 200);
      assertThat(file.residentBytes(9 * PAGE, 2 * PAGE)).isEqualTo(2 * PAGE);
      assertThat(file.residentBytes(0, LENGTH)).isEqualTo(2 * PAGE);
    }
  }

  @Test
  void fileOpensOneDescriptorAndClosesIt() throws IOException {
    try (OsMappedFile file = OsMappedFile.openReadOnly(path, noted())) {
      assertThat(opened).isEmpty();
      file.read(0, 10, into);
      file.read(10, 10, into);
      assertThat(opened).hasSize(1);
      assertThat(closed).isEmpty();
    }
    assertThat(closed).isEqualTo(opened);
  }

  /** A force may take seconds. A get that opens the descriptor must not wait for it. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void firstReadDoesNotWaitForAForce() throws Exception {
    try (OsMappedFile file = OsMappedFile.openWritable(path, noted())) {
      Thread forcing = new Thread(() -> file.force(0, LENGTH));
      forcing.start();
      forceBegun.await();
      assertThat(file.read(0, 10, into)).isTrue();
      forceMayEnd.countDown();
      forcing.join();
    }
  }

  @Test
  void fileThatIsNeverReadOpensNoDescriptor() throws IOException {
    OsMappedFile.openReadOnly(path, noted()).close();
    assertThat(opened).isEmpty();
    assertThat(closed).isEmpty();
  }

  @Test
  void processShortOfDescriptorsReadsTheMapping() throws IOException {
    descriptorsMax = 0;
    try (OsMappedFile file = OsMappedFile.openReadOnly(path, noted())) {
      assertThat(file.read(0, 10, into)).isFalse();
      assertThat(file.read(0, 10, into)).isFalse();
    }
    assertThat(opened).isEmpty();
    assertThat(closed).isEmpty();
  }

  @Test
  void fileThatCannotBeOpenedReadsTheMapping() throws IOException {
    try (OsMappedFile file = OsMappedFile.openReadOnly(path, noted())) {
      Files.delete(path);
      assertThat(file.read(0, 10, into)).isFalse();
      assertThat(file.memory().get(7)).isEqualTo(byteAt(7));
    }
    assertThat(closed).isEmpty();
  }

  @Test
  void readBeyondATruncationFails() throws IOException {
    try (OsMappedFile file = OsMappedFile.openReadOnly(path, natives)) {
      Files.write(path, new byte[PAGE]);
      assertThat(file.read(0, 10, into)).isTrue();
      assertThat(file.read(PAGE - 5, 10, into)).isFalse();
      assertThat(file.read(5 * PAGE, 10, into)).isFalse();
    }
  }

  @Test
  void writtenBytesAreInTheMemoryAndTheFile() throws IOException {
    try (OsMappedFile file = OsMappedFile.openNew(path, noted())) {
      assertThat(opened).as("before the first write").hasSize(1);
      assertThat(file.memory().get(5_000)).isEqualTo(byteAt(5_000));
      for (int i = 0; i < into.capacity(); i++) {
        into.put(i, (byte) 7);
      }
      assertThat(file.write(5_000, 4_500, into)).isTrue();
      assertThat(into.position()).isZero();
      byte[] bytes = Files.readAllBytes(path);
      for (int i = 4_000; i < 10_500; i++) {
        byte expected = i >= 5_000 && i < 9_500 ? 7 : byteAt(i);
        assertThat(bytes[i]).as("byte %d", i).isEqualTo(expected);
        assertThat(file.memory().get(i)).as("byte %d", i).isEqualTo(expected);
      }
      assertThat(file.read(9_000, 100, into)).as("one descriptor does both").isTrue();
      assertThat(into.get(99)).isEqualTo((byte) 7);
      assertThat(opened).hasSize(1);
    }
    assertThat(closed).isEqualTo(opened);
  }

  @Test
  void processShortOfDescriptorsWritesToTheMapping() throws IOException {
    descriptorsMax = 0;
    try (OsMappedFile file = OsMappedFile.openNew(path, noted())) {
      assertThat(file.write(0, 10, into)).isFalse();
      assertThat(file.memory().get(3)).isEqualTo(byteAt(3));
    }
    assertThat(opened).isEmpty();
  }

  /** The range has unknown content, so it must not become durable unnoticed. */
  @Test
  void noForceSucceedsAfterAFailedWrite() throws IOException {
    try (OsMappedFile file = OsMappedFile.openReadOnly(path, natives)) {
      assertThatExceptionOfType(StoreIoException.class)
          .isThrownBy(() -> file.write(0, 10, into))
          .withMessageContaining("write")
          .withMessageContaining(path.toString());
      assertThatExceptionOfType(StoreIoException.class).isThrownBy(() -> file.force(0, 10));
    }
  }

  @Test
  void rangeOutsideTheFileIsRefused() throws IOException {
    try (OsMappedFile file = OsMappedFile.openReadOnly(path, natives)) {
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> file.read(LENGTH - 5, 10, into));
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> file.write(LENGTH - 5, 10, into));
    }
  }
}
