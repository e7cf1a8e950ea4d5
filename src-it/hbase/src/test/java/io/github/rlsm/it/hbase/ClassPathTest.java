// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.RlsmStoreEngine;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks that the engine comes from the drop-in jar alone. All tests of this module, and the
 * servers that they start, share this class path.
 */
class ClassPathTest {

  private static final String CLASS_PATH =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

  @Test
  void engineComesFromTheDropInJar() {
    assertThat(Path.of(RlsmStoreEngine.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath())
            .getFileName()
            .toString())
        .endsWith("-dropin.jar");
  }

  /** The benchmark jars on the class path start servers. They contain no class of the engine. */
  @Test
  void classPathHasNoOtherEngineClasses() throws IOException {
    assertThat(elements().stream()
            .map(element -> element.getFileName().toString())
            .filter(name -> name.startsWith("rlsm-") || name.startsWith("kv-api")))
        .singleElement()
        .asString()
        .endsWith("-dropin.jar");
    for (Path folder : elements()) {
      if (Files.isDirectory(folder) && !folder.endsWith("test-classes")) {
        try (Stream<Path> files = Files.walk(folder)) {
          assertThat(files).noneMatch(file -> file.toString().endsWith(".class"));
        }
      }
    }
  }

  private static List<Path> elements() {
    return Arrays.stream(CLASS_PATH.split(File.pathSeparator)).map(Path::of).toList();
  }
}
