// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.rlsm.Rlsm;
import io.github.rlsm.RlsmOptions;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.FormatVersionException;
import io.github.rlsm.kv.KvException;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.StoreIoException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Truncates, flips or removes files of a store. The store reports an error that names the file, at
 * the latest when the damaged part is read or {@link KvStore#verify} runs. It never returns a wrong
 * answer.
 */
class DamageTest {

  private static final int KEYS = 500;

  @TempDir
  Path temporary;

  private Path store;
  private final Map<Integer, byte[]> expected = new TreeMap<>();

  /** The content at the start of the log's current tail. All of it is in tables. */
  private final Map<Integer, byte[]> settled = new TreeMap<>();

  /** Tables, a manifest with edits, values in the value log, and a log tail of forced writes. */
  @BeforeEach
  void write() {
    store = temporary.resolve("store");
    Random random = new Random(5);
    try (KvStore opened = Rlsm.open(store, options())) {
      for (int i = 0; i < 8 * KEYS; i++) {
        put(opened, random, Durability.OS);
      }
      opened.settle();
      for (int i = 0; i < 50; i++) {
        put(opened, random, Durability.OS);
      }
      opened.flush(); // another table
      settled.putAll(expected);
      for (int i = 0; i < 100; i++) {
        put(opened, random, Durability.OS);
      }
      opened.sync();
      put(opened, random, Durability.SYNC);
      put(opened, random, Durability.SYNC);
    } // the close does not flush, so the tail stays in the log
  }

  private void put(KvStore opened, Random random, Durability durability) {
    int number = random.nextInt(KEYS);
    byte[] value = new byte[random.nextInt(4) == 0 ? 800 : 40];
    random.nextBytes(value);
    opened.put(key(number), value, durability);
    expected.put(number, value);
  }

  @Test
  void undamagedStoreHasNoErrors() {
    try (KvStore opened = Rlsm.open(store, options())) {
      opened.verify();
      assertThat(wrongAnswers(opened, expected)).isEmpty();
    }
  }

  @Test
  void missingFileIsReported() {
    for (String kind : List.of("CURRENT", "MANIFEST", "tab-", "val-")) {
      for (Path file : files(store, kind)) {
        damage(file, "removed", Files::delete);
      }
    }
  }

  /**
   * No other file names a segment of the write-ahead log, so the loss of a whole segment may be
   * undetected. Then the state is an earlier one, as after power loss without a sync.
   */
  @Test
  void missingWriteAheadLogLeavesEarlierState() {
    for (Path file : files(store, "wal-")) {
      for (Deed deed : List.<Deed>of(Files::delete, path -> truncate(path, 0))) {
        Path copy = copyWith(file, deed);
        try (KvStore opened = Rlsm.open(copy, options())) {
          if (!wrongAnswers(opened, expected).isEmpty()) {
            assertThat(wrongAnswers(opened, settled)).isEmpty();
          }
        } catch (CorruptionException e) {
          assertThat(e).hasMessageContaining(".log");
        }
      }
    }
  }

  @Test
  void truncatedFileIsReported() {
    for (String kind : List.of("CURRENT", "MANIFEST", "tab-", "wal-", "val-")) {
      for (Path file : files(store, kind)) {
        if (!kind.equals("wal-")) {
          damage(file, "emptied", path -> truncate(path, 0));
        }
        damage(file, "cut in half", path -> truncate(path, Files.size(path) / 2));
        damage(file, "cut by a byte", path -> truncate(path, Files.size(path) - 1));
      }
    }
  }

  @Test
  void flippedBitIsReported() {
    Random random = new Random(7);
    for (String kind : List.of("CURRENT", "MANIFEST", "tab-", "wal-", "val-")) {
      for (Path file : files(store, kind)) {
        for (int i = 0; i < 12; i++) {
          int at = random.nextInt(1 + i * 30);
          damage(file, "flipped at " + at, path -> flip(path, at));
        }
      }
    }
  }

  @Test
  void swappedFileIsReported() throws IOException {
    Path file = files(store, "tab-").get(0);
    byte[] other = laterTable();
    Throwable thrown = damage(file, "replaced by another table", path -> Files.write(path, other));
    assertThat(thrown).isNotNull();
  }

  /** A table that a copy of the store wrote after it was opened again. */
  private byte[] laterTable() throws IOException {
    Path copy = temporary.resolve("later");
    copy(store, copy);
    try (KvStore opened = Rlsm.open(copy, options())) {
      opened.put(key(KEYS), new byte[10]);
      opened.flush();
    }
    List<Path> tables = files(copy, "tab-");
    Path last = tables.get(tables.size() - 1);
    assertThat(store.resolve(last.getFileName())).doesNotExist();
    return Files.readAllBytes(last);
  }

  /** A change to a file. */
  private interface Deed {
    void on(Path file) throws IOException;
  }

  /** Changes the file in a copy of the store, and checks the effect. */
  private Throwable damage(Path file, String what, Deed deed) {
    Path copy = copyWith(file, deed);
    String name = file.getFileName().toString();
    Throwable thrown = catchThrowable(() -> readAll(copy, name + " " + what));
    if (thrown != null) {
      assertThat(thrown)
          .as("%s %s", name, what)
          .isInstanceOfAny(
              CorruptionException.class, FormatVersionException.class, StoreIoException.class);
    }
    return thrown;
  }

  private Path copyWith(Path file, Deed deed) {
    Path copy = temporary.resolve("copy");
    try {
      CrashRun.deleteAll(copy);
      copy(store, copy);
      deed.on(copy.resolve(file.getFileName()));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return copy;
  }

  private void readAll(Path directory, String what) {
    try (KvStore opened = Rlsm.open(directory, options())) {
      assertThat(wrongAnswers(opened, expected)).as(what).isEmpty();
      opened.verify();
      try (KvIterator all = opened.scan()) {
        int count = 0;
        for (; all.next(); count++) {
          assertThat(all.value()).as(what).isNotNull();
        }
        assertThat(count).as(what).isEqualTo(expected.size());
      }
    }
  }

  /** Keys with a wrong or missing value. A corruption error of a key counts as correct. */
  private static List<Integer> wrongAnswers(KvStore opened, Map<Integer, byte[]> answers) {
    return answers.entrySet().stream()
        .filter(entry -> isWrong(opened, entry.getKey(), entry.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static boolean isWrong(KvStore opened, int number, byte[] value) {
    try {
      return !Arrays.equals(opened.get(key(number)), value);
    } catch (KvException e) {
      assertThat(e).isInstanceOf(CorruptionException.class);
      return false;
    }
  }

  private static List<Path> files(Path directory, String kind) {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(kind))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void copy(Path from, Path to) {
    try {
      CrashRun.copyAll(from, to);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void truncate(Path file, long length) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.setLength(length);
    }
  }

  private static void flip(Path file, int at) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[Math.min(at, bytes.length - 1)] ^= 4;
    Files.write(file, bytes);
  }

  private static byte[] key(int number) {
    return String.format(Locale.ROOT, "key %05d", number).getBytes(US_ASCII);
  }

  private static RlsmOptions options() {
    return RlsmOptions.builder()
        .memoryBudget(2 << 20)
        .logSegmentBytes(128 << 10)
        .partitionBytes(128 << 10)
        .separationThreshold(400)
        .l0Trigger(2)
        .build();
  }
}
