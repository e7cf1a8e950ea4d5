// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Exhausts a resource of a process. The store waits for the resource, then continues. */
@EnabledOnOs(OS.LINUX)
class ShortageTest {

  private static final List<String> FEW_DESCRIPTORS =
      List.of("sh", "-c", "ulimit -n 256 && exec \"$0\" \"$@\"");

  /** Threads cache no buffer, so that each thread needs a new one. */
  private static final List<String> LITTLE_DIRECT_MEMORY = List.of(
      "-XX:MaxDirectMemorySize=32m", "-Djdk.nio.maxCachedBufferSize=1024", "-Xmx256m", "-ea");

  @TempDir
  Path temporary;

  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES)
  void storeWaitsForDescriptors() throws Exception {
    check(ChildJvm.start(FEW_DESCRIPTORS, ShortageChild.class, arguments("DESCRIPTORS"), errors()));
  }

  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES)
  void storeWaitsForDirectMemory() throws Exception {
    check(ChildJvm.start(
        List.of(),
        LITTLE_DIRECT_MEMORY,
        ShortageChild.class,
        arguments("DIRECT_MEMORY"),
        errors()));
  }

  private List<String> arguments(String resource) {
    return List.of(temporary.resolve("store").toString(), resource);
  }

  private Path errors() {
    return temporary.resolve("errors");
  }

  private static void check(ChildJvm started) throws Exception {
    try (ChildJvm child = started) {
      OptionalLong acknowledged = child.report();
      assertThat(child.exitCode()).as(child.errors()).isZero();
      assertThat(acknowledged.orElseThrow()).isPositive();
    }
  }
}
