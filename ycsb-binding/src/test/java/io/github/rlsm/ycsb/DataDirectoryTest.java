// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {

  @TempDir
  Path parent;

  @Test
  void refusesNonEmptyDirectory() throws IOException {
    Path file = Files.writeString(parent.resolve("precious"), "data");

    assertThatThrownBy(() -> DataDirectory.at(parent))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is not empty");
    assertThatThrownBy(() -> DataDirectory.at(file)).isInstanceOf(IOException.class);
    assertThat(file).hasContent("data");
  }

  @Test
  void measuresAndDeletesContent() throws IOException, InterruptedException {
    DataDirectory directory = DataDirectory.at(parent.resolve("a/b"));
    Path nested = Files.createDirectories(directory.path().resolve("nested"));
    Files.write(nested.resolve("file"), new byte[100_000]);
    Files.write(directory.path().resolve("file"), new byte[10]);

    assertThat(directory.size().fileBytes()).isEqualTo(100_010);
    assertThat(directory.size().onDisk()).isPositive();

    directory.empty();
    assertThat(directory.path()).isEmptyDirectory();
    assertThat(directory.size().fileBytes()).isZero();
    directory.delete();
    assertThat(directory.path()).doesNotExist();
    assertThat(parent.resolve("a")).exists();
  }

  @Test
  void createsUniqueDirectories() throws IOException {
    Path home = parent.resolve("home");

    assertThat(DataDirectory.under(home).path())
        .isNotEqualTo(DataDirectory.under(home).path())
        .hasParent(home);
  }
}
