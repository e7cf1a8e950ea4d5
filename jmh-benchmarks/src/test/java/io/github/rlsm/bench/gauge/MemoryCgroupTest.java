// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.gauge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryCgroupTest {

  private static final long LIMIT = 64 << 20;

  private static MemoryCgroup create(String name) {
    assumeTrue(CgroupHierarchy.mountedNow().isPresent(), "no control groups are mounted");
    try {
      return MemoryCgroup.create(name, LIMIT);
    } catch (IOException e) {
      return abort("this process may not create control groups: " + e.getMessage());
    }
  }

  private static Path directoryOf(MemoryCgroup group) {
    return Path.of(group.enter(List.of()).get(4));
  }

  @Test
  void runsCommandInGroupAndRemovesGroup() throws IOException, InterruptedException {
    MemoryCgroup group = create("test-run");
    Process process = new ProcessBuilder(
            group.enter(List.of("sh", "-c", "cat /proc/self/cgroup; exit 7")))
        .start();
    String groups = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isEqualTo(7);
    assertThat(groups).contains("rlsm-bench-").contains("test-run");
    assertThat(directoryOf(group)).doesNotExist();
  }

  @Test
  void killsProcessBeyondLimit() throws IOException, InterruptedException {
    MemoryCgroup group = create("test-kill");
    Process process = new ProcessBuilder(
            group.enter(List.of("sh", "-c", "x=$(head -c 200000000 /dev/zero | tr '\\0' x)")))
        .start();
    process.getInputStream().readAllBytes();
    assertThat(process.waitFor()).isEqualTo(137);
    assertThat(directoryOf(group)).doesNotExist();
  }

  @Test
  void removesUnusedGroup() throws IOException {
    MemoryCgroup group = create("test-unused");
    assertThat(Files.isDirectory(directoryOf(group))).isTrue();
    group.removeUnused();
    assertThat(directoryOf(group)).doesNotExist();
  }
}
