// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.result;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the result files in docs/benchmarks can be read, and keep the names of all fields. */
class PublishedResultsTest {

  private static final Path BENCHMARKS = Path.of("../docs/benchmarks");

  @TempDir
  Path directory;

  private static List<Path> stores() throws IOException {
    List<Path> files = new ArrayList<>(named("stores.json"));
    try (Stream<Path> cases = Files.walk(BENCHMARKS.resolve("matrix"))) {
      cases.filter(file -> file.toString().endsWith(".json")).sorted().forEach(files::add);
    }
    return files;
  }

  private static List<Path> shards() throws IOException {
    // This file is older than the field spec.works.
    return named("shards.json").stream()
        .filter(file -> !file.endsWith("pinned/shards.json"))
        .toList();
  }

  private static List<Path> named(String name) throws IOException {
    try (Stream<Path> files = Files.walk(BENCHMARKS)) {
      return files.filter(file -> file.endsWith(name)).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("stores")
  void resultsOfStoresAreReadAndWrittenWithAllFields(Path file) {
    check(file, BenchResult.class);
  }

  @ParameterizedTest
  @MethodSource("shards")
  void resultsOfShardsAreReadAndWrittenWithAllFields(Path file) {
    check(file, ShardsResult.All.class);
  }

  private void check(Path published, Class<?> type) {
    Path copy = directory.resolve("copy.json");
    Json.write(copy, Json.read(published, type));
    checkContains(Json.read(copy, JsonNode.class), Json.read(published, JsonNode.class), "");
  }

  /** A file may lack fields that were added later. */
  private static void checkContains(JsonNode copy, JsonNode published, String path) {
    if (published.isObject()) {
      published.properties().forEach(field -> {
        String name = path + "/" + field.getKey();
        assertThat(copy.has(field.getKey())).as(name).isTrue();
        checkContains(copy.get(field.getKey()), field.getValue(), name);
      });
    } else if (published.isArray()) {
      assertThat(copy.size()).as(path).isEqualTo(published.size());
      for (int i = 0; i < published.size(); i++) {
        checkContains(copy.get(i), published.get(i), path + "/" + i);
      }
    } else {
      assertThat(copy).as(path).isEqualTo(published);
    }
  }
}
