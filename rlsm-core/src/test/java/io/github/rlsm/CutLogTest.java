// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.StoreIoException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another process truncates the log of an open store, in the middle of a page. */
class CutLogTest {

  private static final int HEAD_BYTES = 64;
  private static final int RECORD_BYTES = 40;

  /** The records after the cut read as zeros, without a fault. */
  @Test
  void aScanOverZerosFailsWithATypedError(@TempDir Path directory) throws IOException {
    try (RlsmStore store = RlsmStore.open(directory, RlsmOptions.defaults())) {
      for (byte i = 0; i < 10; i++) {
        store.put(new byte[] {i}, new byte[20]);
      }
      scan(store); // sorts the keys
      cutLogs(directory);
      assertThatThrownBy(() -> scan(store))
          .isInstanceOf(StoreIoException.class)
          .hasMessageContaining("wal-");
    }
  }

  private static void scan(RlsmStore store) {
    try (KvIterator entries = store.scan()) {
      while (entries.next()) {
        entries.value();
      }
    }
  }

  private static void cutLogs(Path directory) throws IOException {
    List<Path> logs;
    try (Stream<Path> files = Files.list(directory)) {
      logs =
          files.filter(file -> file.getFileName().toString().startsWith("wal-")).toList();
    }
    for (Path log : logs) {
      try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
        channel.truncate(HEAD_BYTES + 3 * RECORD_BYTES);
      }
    }
  }
}
