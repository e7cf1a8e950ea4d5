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

/** A process that runs out of a resource: the store waits for the resource and continues. */
@EnabledOnOs(OS.LINUX)
class ShortageTest {

  private static final List<String> FEW_DESCRIPTORS =
      List.of("sh", "-c", "ulimit -n 256 && exec \"$0\" \"$@\"");

  /** Threads keep no buffer, since a thread with a buffer would need no other. */
  private static final List<String> LITTLE_DIRECT_MEMORY = List.of(
      "-XX:MaxDirectMemorySize=32m", "-Djdk.nio.maxCachedBufferSize=1024", "-Xmx256m", "-ea");

  @TempDir
  Path temporary;

  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES)
  void theStoreWaitsForDescriptors() throws Exception {
    check(ChildJvm.start(FEW_DESCRIPTORS, ShortageChild.class, arguments("DESCRIPTORS"), errors()));
  }

  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES)
  void theStoreWaitsForDirectMemory() throws Exception {
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
