// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.Compression;
import io.github.rlsm.Rlsm;
import io.github.rlsm.RlsmOptions;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.shipped.JarLinkage;
import io.github.rlsm.shipped.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs the program from its jar, with {@code java -jar} and with the scripts of the README. */
class ProgramJarIT {

  private static final Path JAR = Program.jar("all");
  private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

  @TempDir
  Path temporary;

  @Test
  void jarLacksNoClassThatOurCodeNames() throws IOException {
    assertThat(JarLinkage.missing(JAR, List.of(), "io/github/rlsm/")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void reshardsStoreOfAnyCompression(Compression compression) throws Exception {
    Path directory = temporary.resolve("store");
    RlsmOptions options =
        RlsmOptions.builder().memoryBudget(1 << 20).compression(compression).build();
    try (KvStore store = Rlsm.open(directory, options)) {
      for (int i = 0; i < 100; i++) {
        store.put(new byte[] {(byte) i}, new byte[400]);
      }
      store.flush();
    }
    assertThat(run("reshard", "--shards", "4", directory.toString()))
        .isEqualTo("4 shards, 100 entries copied");
    assertThat(run("reshard", "--shards", "0", directory.toString()))
        .isEqualTo("0 shards, 100 entries copied");
    try (KvStore store = Rlsm.open(directory, options)) {
      assertThat(store.get(new byte[] {42})).hasSize(400);
    }
  }

  @Test
  void scriptsRunTheJar() throws Exception {
    // The scripts build if a source is newer than this stamp. The jar was just built.
    Path stamp = Path.of("target", "rebuilt");
    Files.write(stamp, new byte[0]);
    try {
      String device = temporary.resolve("log.ring").toString();
      assertThat(script("log-device", "init", device, "--mib", "1")).contains("state   clean");
      assertThat(script("log-device", "status", device)).contains("store   none");
      assertThat(script("log-device", "release", device))
          .contains("is released and no longer a log device");
      assertThat(script("rlsm", "--help")).contains("reshard", "log-device");
    } finally {
      Files.delete(stamp);
    }
  }

  private String run(String... arguments) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of("-jar", JAR.toString()));
    all.addAll(List.of(arguments));
    return succeeded(Program.java(temporary, all.toArray(new String[0])));
  }

  private String script(String name, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(REPOSITORY.resolve(name).toString()));
    command.addAll(List.of(arguments));
    return succeeded(Program.run(temporary, command));
  }

  private static String succeeded(Program program) {
    assertThat(program.exitCode()).as(program.output()).isZero();
    return program.output().strip();
  }
}
