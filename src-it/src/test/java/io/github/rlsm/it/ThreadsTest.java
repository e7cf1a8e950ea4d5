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

/**
 * Runs stores in a process that cannot start threads. An open store continues. Opening a store
 * fails with a typed error and leaves no thread behind.
 */
@EnabledOnOs(OS.LINUX)
class ThreadsTest {

  private static final List<String> LITTLE_ADDRESS_SPACE =
      List.of("sh", "-c", "ulimit -v 3000000 && exec \"$0\" \"$@\"");

  /** Each thread takes much address space, the JVM itself little. */
  private static final List<String> LARGE_STACKS = List.of(
      "-Xss64m",
      "-Xms64m",
      "-Xmx64m",
      "-XX:+UseSerialGC",
      "-XX:TieredStopAtLevel=1",
      "-XX:CICompilerCount=1",
      "-XX:-UseDynamicNumberOfCompilerThreads",
      "-XX:ReservedCodeCacheSize=32m",
      "-XX:CompressedClassSpaceSize=32m",
      "-Xlog:disable",
      "-ea");

  @TempDir
  Path temporary;

  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES)
  void storeContinuesWithoutNewThreads() throws Exception {
    List<String> arguments = List.of(temporary.toString());
    try (ChildJvm child = ChildJvm.start(
        LITTLE_ADDRESS_SPACE,
        LARGE_STACKS,
        ThreadsChild.class,
        arguments,
        temporary.resolve("errors"))) {
      OptionalLong refused = child.report();
      assertThat(child.exitCode()).as(child.errors()).isZero();
      assertThat(refused.orElseThrow()).isGreaterThan(2);
    }
  }
}
