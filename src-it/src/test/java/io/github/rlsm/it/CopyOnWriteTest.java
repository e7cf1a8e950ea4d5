// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.proof.Proof;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fills a copy-on-write file system under a store. Then storing to a mapped page finds no space,
 * although the space was reserved. The write fails with a typed error, the process survives, all
 * acknowledged data can be read, and the store can be opened again once there is space.
 */
class CopyOnWriteTest {

  @TempDir
  Path temporary;

  @Test
  void writeWithoutSpaceFailsWithTypedError() throws Exception {
    int cycles = Proof.count("t6.btrfs", 2);
    List<String> flags =
        List.of("-Xmx256m", "-ea", "-XX:ErrorFile=" + temporary.resolve("hs_err.log"));
    try (SmallDisk disk = SmallDisk.mount(temporary.resolve("disk"), SmallDisk.Kind.BTRFS)) {
      List<String> arguments =
          List.of(disk.path().toString(), String.valueOf(Proof.seed("T6")), String.valueOf(cycles));
      int finished = 0;
      try (ChildJvm child = ChildJvm.start(
          List.of(), flags, CopyOnWriteChild.class, arguments, temporary.resolve("errors"))) {
        for (OptionalLong read = child.report(); read.isPresent(); read = child.report()) {
          assertThat(read.getAsLong()).isPositive();
          finished++;
        }
        assertThat(child.exitCode()).as(child.errors()).isZero();
      }
      assertThat(finished).isEqualTo(cycles);
    }
    assertThat(temporary.resolve("hs_err.log")).doesNotExist();
    Proof.ran("T6", "times that a copy-on-write disk ran full", cycles);
  }
}
