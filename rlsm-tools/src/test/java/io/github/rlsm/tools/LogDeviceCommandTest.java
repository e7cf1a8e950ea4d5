// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.tools;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Tests the commands for log devices, on files. */
class LogDeviceCommandTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir
  Path temporary;

  private String device = "";

  @BeforeEach
  void name() {
    device = temporary.resolve("device").toString();
  }

  private int run(String command, String... arguments) {
    CommandLine commands = RlsmMain.commandLine();
    commands.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    String[] all = new String[arguments.length + 2];
    all[0] = "log-device";
    all[1] = command;
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    return commands.execute(all);
  }

  @Test
  void initStatusAndReleaseWork() {
    assertThat(run("init", device, "--mib", "1")).as("%s", err).isZero();
    assertThat(Path.of(device)).hasSize(1 << 20);
    assertThat(run("status", device)).isZero();
    assertThat(out.toString())
        .contains("store   none", "state   clean", "ring    1040384 bytes", device);
    assertThat(run("release", device)).isZero();
    assertThat(run("status", device)).isEqualTo(1);
    assertThat(err.toString()).contains("never written");
    assertThat(run("init", device)).isZero();
  }

  @Test
  void initRefusesDeviceWithData() throws IOException {
    Files.writeString(Path.of(device), "a letter to somebody".repeat(5000), UTF_8);
    assertThat(run("init", device)).isEqualTo(1);
    assertThat(err.toString()).contains("it carries data").contains("--overwrite data");
    assertThat(Path.of(device)).content().startsWith("a letter");
    assertThat(run("init", device, "--overwrite", "ext")).isEqualTo(1);
    assertThat(run("init", device, "--overwrite", "data")).isZero();
  }

  @Test
  void namesWrongArguments() {
    assertThat(run("init")).isEqualTo(2);
    assertThat(run("init", device, "--mib", "much")).isEqualTo(2);
    assertThat(err.toString()).contains("--mib");
    assertThat(run("init", device, "--mib", "0")).isEqualTo(1);
    assertThat(err.toString()).contains("the minimum is 16");
  }
}
