// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.os;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.ChildJvm;
import io.github.rlsm.io.MappedFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests that JNA is used if present, and that the engine works without it. */
class NativeCallsTest {

  @TempDir
  Path temporary;

  @Test
  @EnabledOnOs(OS.LINUX)
  void nativeCallsWorkOnLinux() throws Exception {
    NativeCalls natives = NativeCalls.get().orElseThrow();
    assertThat(natives.errorText(28)).isNotBlank().isNotEqualTo(natives.errorText(5));
    Path file = temporary.resolve("f");
    Files.write(file, new byte[] {1, 2, 3});
    assertThat(natives.reserve(file, 10)).isTrue();
    assertThat(Files.readAllBytes(file)).containsExactly(1, 2, 3, 0, 0, 0, 0, 0, 0, 0);
    assertThat(natives.reserve(file, 5)).isTrue();
    assertThat(Files.size(file)).isEqualTo(10);
    assertThat(natives.reserve(temporary.resolve("gone"), 5)).isFalse();
    assertThat(temporary.resolve("gone")).doesNotExist();
  }

  @Test
  void jvmWithoutJnaSaysSoInOneRecordAndWorks() throws Exception {
    try (ChildJvm child = ChildJvm.start(
        MappingChild.class, element -> !element.contains("jna"), List.of(temporary.toString()))) {
      assertThat(child.remainingOutput().lines().filter(line -> line.startsWith("INFO")))
          .singleElement()
          .asString()
          .contains("JNA cannot be used");
    }
    try (MappedFile file = OsDirectory.open(temporary).openReadOnly("m")) {
      assertThat(file.memory().getLong(50_000)).isEqualTo(7);
    }
  }

  @Test
  void unmappingPrintsNoWarnings() throws Exception {
    try (ChildJvm child = ChildJvm.start(
        MappingChild.class, element -> !element.contains("jna"), List.of(temporary.toString()))) {
      assertThat(child.remainingOutput()).doesNotContain("WARNING").endsWith(MappingChild.DONE);
    }
  }
}
