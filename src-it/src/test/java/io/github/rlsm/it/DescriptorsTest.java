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

/** A process that runs out of file descriptors: the store waits for some, and goes on. */
@EnabledOnOs(OS.LINUX)
class DescriptorsTest {

  private static final List<String> FEW_DESCRIPTORS =
      List.of("sh", "-c", "ulimit -n 256 && exec \"$0\" \"$@\"");

  @TempDir
  Path temporary;

  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES)
  void theStoreWaitsForDescriptors() throws Exception {
    List<String> arguments = List.of(temporary.resolve("store").toString());
    try (ChildJvm child = ChildJvm.start(
        FEW_DESCRIPTORS, DescriptorsChild.class, arguments, temporary.resolve("errors"))) {
      OptionalLong acknowledged = child.report();
      assertThat(child.exitCode()).as(child.errors()).isZero();
      assertThat(acknowledged.orElseThrow()).isPositive();
    }
  }
}
