// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.tools;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.Rlsm;
import io.github.rlsm.RlsmOptions;
import io.github.rlsm.kv.KvStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Tests the verify command line. */
class VerifyCommandTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir
  Path directory;

  private void makeStore(int shards) {
    RlsmOptions options =
        RlsmOptions.builder().memoryBudget(1 << 20).shards(shards).build();
    try (KvStore store = Rlsm.open(directory, options)) {
      for (int i = 0; i < 100; i++) {
        store.keyspace("users").put(("key" + i).getBytes(US_ASCII), new byte[400]);
      }
      store.settle();
    }
  }

  private int run(String... arguments) {
    CommandLine command = RlsmMain.commandLine();
    command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return command.execute(arguments);
  }

  /** Flips a bit in the middle of each table. Returns the number of tables. */
  private int damage() throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(directory)) {
      files = all.filter(file -> file.getFileName().toString().matches("tab-.*"))
          .sorted()
          .toList();
    }
    for (Path file : files) {
      byte[] bytes = Files.readAllBytes(file);
      bytes[bytes.length / 2] ^= 1;
      Files.write(file, bytes);
    }
    return files.size();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void reportsSoundStore(int shards) {
    makeStore(shards);
    assertThat(run("verify", "--progress", directory.toString()))
        .as(err::toString)
        .isZero();
    assertThat(out.toString()).endsWith("bytes read, 0 damages" + System.lineSeparator());
    assertThat(err.toString()).contains(" of about ");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void printsEveryDamage(int shards) throws IOException {
    makeStore(shards);
    int damaged = damage();
    assertThat(damaged).isGreaterThanOrEqualTo(Math.max(1, shards));
    assertThat(run("verify", directory.toString())).as(err::toString).isEqualTo(1);
    assertThat(err).hasToString("");
    assertThat(out.toString().lines().toList())
        .hasSize(damaged + 1)
        .last()
        .asString()
        .endsWith(damaged + " damages");
    assertThat(out.toString().lines().limit(damaged))
        .allMatch(line -> line.contains("tab-") && line.contains("of keyspace users"))
        .allMatch(line -> shards == 0 || line.startsWith("shard "));
  }

  @Test
  void leavesDirectoryWithoutStoreEmpty() throws IOException {
    assertThat(run("verify", directory.toString())).isEqualTo(2);
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
  }
}
