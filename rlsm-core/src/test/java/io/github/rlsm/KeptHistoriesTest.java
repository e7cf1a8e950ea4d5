// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.kv.KeptHistory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replays the kept histories, each of which failed once on an engine with a bug. They are the files
 * in {@code src/test/resources/histories}; TESTING.md describes how to add one.
 *
 * <p>The system property {@code rlsm.history} names the only file to replay, without {@code .txt}.
 */
class KeptHistoriesTest {

  private static final Path FOLDER = Path.of("src", "test", "resources", "histories");

  @TempDir
  Path directory;

  @TestFactory
  Stream<DynamicTest> replays() throws IOException {
    String only = System.getProperty("rlsm.history", "");
    return files().stream()
        .filter(file -> only.isEmpty() || file.endsWith(only + ".txt"))
        .map(file -> DynamicTest.dynamicTest(String.valueOf(file.getFileName()), () -> {
          SimulatedStores stores = new SimulatedStores(false);
          KeptHistory.parse(Files.readString(file), RlsmModelTest.mix(stores))
              .replay(stores, directory.resolve("store"));
        }));
  }

  /** Checks that a history has every option in its text, so that a changed default changes none. */
  @Test
  void openingsNameEveryOption() {
    for (long seed = 0; seed < 20; seed++) {
      DrawnStore drawn = DrawnStore.draw(seed);
      DrawnStore read = DrawnStore.parse(drawn.toString());
      assertThat(read).hasToString(drawn.toString());
      assertThat(drawn.toString())
          .contains(drawn.options().toProperties().keySet().stream()
              .map(n -> " " + n + "=")
              .toList());
    }
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.sorted().toList();
    }
  }
}
