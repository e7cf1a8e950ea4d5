// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.Rlsm;
import io.github.rlsm.RlsmOptions;
import io.github.rlsm.kv.FormatVersionException;
import io.github.rlsm.kv.KvStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Tests the reshard command line. */
class ReshardCommandTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir
  Path directory;

  @BeforeEach
  void makeStore() {
    try (KvStore store = open(2)) {
      for (int i = 0; i < 100; i++) {
        store.put(new byte[] {(byte) i}, new byte[i]);
      }
    }
  }

  private KvStore open(int shards) {
    return Rlsm.open(
        directory, RlsmOptions.builder().memoryBudget(1 << 20).shards(shards).build());
  }

  private int run(String... arguments) {
    CommandLine command = RlsmMain.commandLine();
    command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return command.execute(arguments);
  }

  @Test
  void reshardsStore() {
    assertThat(run("reshard", "--shards", "3", "--option", "memoryBudget=2m", directory.toString()))
        .as(err::toString)
        .isZero();
    assertThat(out).hasToString("3 shards, 100 entries copied" + System.lineSeparator());
    try (KvStore store = open(3)) {
      for (int i = 0; i < 100; i++) {
        assertThat(store.get(new byte[] {(byte) i})).hasSize(i);
      }
    }
  }

  @Test
  void reshardsToNoShardsAndBack() throws IOException {
    assertThat(run("reshard", "--shards", "0", directory.toString()))
        .as(err::toString)
        .isZero();
    // A directory that a crash could leave.
    Files.createDirectories(directory.resolve("shard-9-0000"));
    try (KvStore store = Rlsm.open(directory, RlsmOptions.defaults())) {
      assertThat(store.get(new byte[] {42})).hasSize(42);
      store.put(new byte[] {42}, new byte[1]);
    }
    assertThat(directory.toFile().list()).noneMatch(name -> name.startsWith("shard"));
    assertThat(run("reshard", "--shards", "1", directory.toString()))
        .as(err::toString)
        .isZero();
    assertThat(directory.toFile().list()).containsOnly("shard-1-0000", "SHARDS", "LOCK");
    try (KvStore store = open(1)) {
      assertThat(store.get(new byte[] {42})).hasSize(1);
      assertThat(store.get(new byte[] {43})).hasSize(43);
    }
    // Shards without the SHARDS file do not become a new store.
    Files.delete(directory.resolve("SHARDS"));
    assertThatThrownBy(() -> Rlsm.open(directory, RlsmOptions.defaults()))
        .isInstanceOf(FormatVersionException.class);
  }

  @Test
  void sameNumberOfShardsCopiesNothing() {
    assertThat(run("reshard", "--shards", "2", directory.toString())).isZero();
    assertThat(out.toString()).contains("nothing was copied");
  }

  @Test
  void printsErrorOnOneLine() {
    try (KvStore store = open(2)) {
      assertThat(run("reshard", "--shards", "3", directory.toString())).isEqualTo(1);
      assertThat(err.toString().lines()).hasSize(1).first().asString().contains("is in use");
      assertThat(Rlsm.shardCount(directory)).hasValue(2);
      assertThat(store.isClosed()).isFalse();
    }
    assertThat(run("reshard", "--shards", "3", directory.resolve("none").toString()))
        .isEqualTo(1);
    assertThat(run("reshard", "--shards", "-1", directory.toString())).isEqualTo(1);
    assertThat(run("reshard", directory.toString())).isEqualTo(2);
  }
}
