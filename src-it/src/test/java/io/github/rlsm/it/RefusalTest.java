// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.rlsm.Rlsm;
import io.github.rlsm.RlsmOptions;
import io.github.rlsm.it.HistoryChild.Arguments;
import io.github.rlsm.kv.FormatVersionException;
import io.github.rlsm.kv.InvalidOptionsException;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.kv.StoreLockedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An opening that is refused reports the reason, and leaves the directory unchanged. */
class RefusalTest {

  @TempDir
  Path temporary;

  @Test
  void refusesDirectoryOfOtherProcess() throws Exception {
    Path directory = temporary.resolve("store");
    Arguments arguments =
        new Arguments(directory, 1, Long.MAX_VALUE, "memoryBudget=4m", 0, false, List.of(0L));
    try (ChildJvm child = ChildJvm.start(
        HistoryChild.class, List.of(arguments.format()), temporary.resolve("errors"))) {
      OptionalLong report = child.report();
      while (report.isPresent() && report.getAsLong() != HistoryChild.OPENED) {
        report = child.report();
      }
      assertThatExceptionOfType(StoreLockedException.class)
          .isThrownBy(() -> open(directory))
          .withMessageContaining(directory.toString())
          .withMessageContaining("process " + child.pid() + ";");
      assertThat(child.report()).as("the owner goes on").isPresent();
    }
    open(directory).close();
  }

  @Test
  void refusesDirectoryOpenInThisProcess() {
    Path directory = temporary.resolve("store");
    try (KvStore store = open(directory)) {
      assertThatExceptionOfType(StoreLockedException.class)
          .isThrownBy(() -> open(directory))
          .withMessageContaining(directory.toString())
          .withMessageContaining("another store of this process");
      store.put(new byte[] {1}, new byte[] {2});
    }
    try (KvStore store = open(directory)) {
      assertThat(store.get(new byte[] {1})).containsExactly(2);
    }
  }

  @Test
  void refusesFileInPlaceOfDirectory() throws IOException {
    Path file = Files.writeString(temporary.resolve("file"), "mine");
    for (Path path : List.of(file, file.resolve("store"))) {
      assertThatExceptionOfType(StoreIoException.class)
          .isThrownBy(() -> open(path))
          .withMessageContaining(path.toString());
    }
    assertThat(file).hasContent("mine");
  }

  @Test
  void refusesDirectoryWithForeignFiles() throws IOException {
    Path directory = Files.createDirectories(temporary.resolve("photos"));
    Path file = Files.writeString(directory.resolve("holiday.jpg"), "mine");
    assertThatExceptionOfType(FormatVersionException.class)
        .isThrownBy(() -> open(directory))
        .withMessageContaining(directory.toString())
        .withMessageContaining("holiday.jpg");
    assertThat(file).hasContent("mine");
  }

  @Test
  void refusesReadOnlyDirectory() throws Exception {
    Path mounted = temporary.resolve("mounted");
    try (SmallDisk disk = SmallDisk.mount(mounted, SmallDisk.Kind.TMPFS)) {
      Path directory = mounted.resolve("store");
      disk.remount("ro");
      assertThatExceptionOfType(StoreIoException.class)
          .isThrownBy(() -> open(directory))
          .withMessageContaining(directory.toString())
          .withMessageContaining("Read-only file system");
      disk.remount("rw");
      try (KvStore store = open(directory)) {
        store.put(new byte[] {1}, new byte[] {2});
      }
      disk.remount("ro");
      assertThatExceptionOfType(StoreIoException.class)
          .isThrownBy(() -> open(directory))
          .withMessageContaining("Read-only file system");
      disk.remount("rw");
      try (KvStore store = open(directory)) {
        assertThat(store.get(new byte[] {1})).containsExactly(2);
      }
    }
  }

  @Test
  void reportsAllWrongOptionsAtOnce() {
    assertThatExceptionOfType(InvalidOptionsException.class)
        .isThrownBy(() -> RlsmOptions.fromProperties(
            Map.of("memoryBugdet", "1g", "pageBytes", "1000", "l0Trigger", "many")))
        .withMessageContaining("memoryBugdet")
        .withMessageContaining("did you mean memoryBudget?")
        .withMessageContaining("pageBytes is 1000; legal: a power of two")
        .withMessageContaining("l0Trigger is many");
  }

  private static KvStore open(Path directory) {
    return Rlsm.open(directory, RlsmOptions.builder().memoryBudget(4 << 20).build());
  }
}
