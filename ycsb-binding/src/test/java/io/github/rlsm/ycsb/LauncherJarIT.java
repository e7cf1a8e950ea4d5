// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.shipped.JarLinkage;
import io.github.rlsm.shipped.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the launcher from its jar, with {@code java -jar} and with {@code ./ycsb}. */
class LauncherJarIT {

  private static final Path JAR = Program.jar("all");

  @TempDir
  Path temporary;

  @Test
  void jarLacksNoClassThatOurCodeNames() throws IOException {
    assertThat(JarLinkage.missing(JAR, List.of(), "io/github/rlsm/", "site/ycsb/db/rlsm/"))
        .isEmpty();
  }

  @Test
  void jarLoadsAndRuns() throws Exception {
    Program program = Program.java(
        temporary,
        "-jar",
        JAR.toString(),
        "--records",
        "1000",
        "--operations",
        "1000",
        "--workloads",
        "a,e",
        "--data-integrity",
        "--options",
        "shards=2",
        "--options",
        "compression=LZ4",
        "--dir",
        temporary.resolve("store").toString());
    assertThat(program.exitCode()).as(program.output()).isZero();
    assertThat(program.output()).contains("ops/s");
  }

  @Test
  void scriptRunsTheJar() throws Exception {
    // The script builds if a source is newer than this stamp. The jar was just built.
    Path stamp = Path.of("target", "rebuilt");
    Files.write(stamp, new byte[0]);
    try {
      String script = Path.of("..", "ycsb").toAbsolutePath().normalize().toString();
      Program program = Program.run(temporary, List.of(script, "--help"));
      assertThat(program.exitCode()).as(program.output()).isZero();
      assertThat(program.output()).contains("--workloads");
    } finally {
      Files.delete(stamp);
    }
  }
}
