// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Interrupts a launcher, in a child process, while it loads. */
class InterruptedRunTest {

  /** Far more records than the launcher loads before the request comes. */
  private static final int RECORDS = 50_000_000;

  @TempDir
  Path home;

  @Test
  void interruptClosesStoreAndReports() throws Exception {
    Path out = home.resolve("out");
    Process launcher = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            YcsbLauncher.class.getName(),
            "--store",
            "model",
            "--records",
            Integer.toString(RECORDS),
            "--dir",
            home.resolve("store").toString(),
            "--keep",
            "--json",
            home.resolve("report.json").toString())
        .redirectOutput(out.toFile())
        .start();
    try (BufferedReader progress = launcher.errorReader(UTF_8)) {
      assertThat(progress.readLine()).startsWith("store in ");
      assertThat(progress.readLine()).startsWith("opened ");
      // ProcessHandle.destroy leaves the streams open.
      launcher.toHandle().destroy();
      assertThat(progress.lines()).anyMatch(line -> line.startsWith("closed "));
    }

    assertThat(launcher.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(launcher.exitValue()).isNotZero();
    assertThat(Files.readString(out, UTF_8)).contains("did not finish: interrupted");
    JsonNode json = new ObjectMapper().readTree(home.resolve("report.json").toFile());
    assertThat(json.get("complete").asBoolean()).isFalse();
    assertThat(json.at("/sessions/0/phases/0/operations").asLong()).isLessThan(RECORDS);
    // The model store writes its file at its close.
    assertThat(home.resolve("store/model")).exists();
  }
}
