// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.TestBytes;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A copy of a store whose files are hard links to the store's files. Later operations of the store
 * change no byte of the copy, and the copy opens with the content of the store at the time of the
 * copy.
 */
class RlsmLinkedCopyTest {

  private static final int KEYS = 60;
  private static final String LINK = "link-to-";

  @TempDir
  Path temporary;

  private static byte[] key(int i) {
    return TestBytes.bytes("key" + i);
  }

  private static byte[] value(int i, int round) {
    return TestBytes.random(1_000L * round + i, i % 3 == 0 ? 1_500 : 30);
  }

  private static void putAll(RlsmStore store, int round) {
    for (int i = 0; i < KEYS; i++) {
      store.put(key(i), value(i, round), i % 7 == 0 ? Durability.SYNC : Durability.OS);
    }
  }

  private static void check(RlsmStore store, int round) {
    for (int i = 0; i < KEYS; i++) {
      assertThat(store.get(key(i))).as("key %d", i).isEqualTo(value(i, round));
    }
    store.verify();
  }

  /** Runs operations that free, cut, punch and reuse files. */
  private static void overwrite(RlsmStore store, int firstRound) {
    for (int round = firstRound; round < firstRound + 4; round++) {
      putAll(store, round);
      store.flush();
    }
    store.collect();
    store.settle();
    check(store, firstRound + 3);
  }

  private static RlsmStore open(SimulatedDirectory directory, TinyOptions options) {
    return RlsmStore.open(directory, options.options(), InlineScheduler.environment(1));
  }

  private static Map<String, byte[]> link(SimulatedDirectory directory, List<String> names) {
    Map<String, byte[]> bytes = new TreeMap<>();
    for (String name : names) {
      directory.link(name, LINK + name);
      bytes.put(name, directory.bytes(name));
    }
    directory.syncDirectory();
    return bytes;
  }

  private static void checkUnchanged(SimulatedDirectory directory, Map<String, byte[]> before) {
    before.forEach((name, bytes) ->
        assertThat(directory.bytes(LINK + name)).as("the copy of %s", name).isEqualTo(bytes));
  }

  private static List<String> linkable(SimulatedDirectory directory) {
    return directory.list().stream()
        .filter(name -> !name.equals(StoreFileName.LOCK))
        .toList();
  }

  private static SimulatedDirectory copy(Map<String, byte[]> files, TinyOptions options) {
    SimulatedDirectory copy = options.directory();
    files.forEach(copy::replace);
    return copy;
  }

  @ParameterizedTest
  @EnumSource(
      value = TinyOptions.class,
      names = {"LINKING", "SEPARATING", "ZSTD", "ROOMY", "DIRECT_LARGE"})
  void aCopyOfAClosedStoreStays(TinyOptions options) {
    SimulatedDirectory directory = options.directory();
    directory.holeBytes(16);
    try (RlsmStore store = open(directory, options)) {
      putAll(store, 0);
      store.flush();
      putAll(store, 1);
    }
    Map<String, byte[]> copied = link(directory, linkable(directory));
    try (RlsmStore store = open(directory, options)) {
      check(store, 1);
      overwrite(store, 2);
    }
    checkUnchanged(directory, copied);
    try (RlsmStore store = open(copy(copied, options), options)) {
      check(store, 1);
    }
  }

  /** Recovery writes to recovered segments, so it must not recover linked segments in place. */
  @ParameterizedTest
  @EnumSource(
      value = TinyOptions.class,
      names = {"LINKING", "SEPARATING", "ZSTD", "ROOMY"})
  void aCopyOfAKilledStoreStays(TinyOptions options) {
    SimulatedDirectory alive = options.directory();
    alive.holeBytes(16);
    RlsmStore killed = open(alive, options);
    putAll(killed, 0);
    SimulatedDirectory directory = alive.kill();
    Map<String, byte[]> copied = link(directory, linkable(directory));
    try (RlsmStore store = open(directory, options)) {
      check(store, 0);
      overwrite(store, 1);
    }
    checkUnchanged(directory, copied);
    try (RlsmStore store = open(copy(copied, options), options)) {
      check(store, 0);
    }
  }

  /**
   * Links files as a checkpoint does: while the store is open, only the files that it no longer
   * writes.
   */
  @ParameterizedTest
  @EnumSource(
      value = TinyOptions.class,
      names = {"LINKING", "SEPARATING", "ZSTD", "ROOMY", "DIRECT_LARGE"})
  void linksToAnOpenStoreStay(TinyOptions options) {
    SimulatedDirectory directory = options.directory();
    directory.holeBytes(16);
    try (RlsmStore store = open(directory, options)) {
      putAll(store, 0);
      List<String> early = directory.list();
      store.flush();
      putAll(store, 1);
      store.flush();
      store.flush();
      List<String> sealed = directory.list().stream()
          .filter(name -> name.endsWith(".tbl") || (name.startsWith("val") && early.contains(name)))
          .toList();
      Map<String, byte[]> copied = link(directory, sealed);
      overwrite(store, 2);
      checkUnchanged(directory, copied);
    }
  }

  @Test
  void aCopyInAnotherDirectoryStays() throws IOException {
    RlsmOptions options = TinyOptions.SEPARATING.options();
    Path original = temporary.resolve("original");
    Path copy = Files.createDirectories(temporary.resolve("copy"));
    try (RlsmStore store = RlsmStore.open(original, options)) {
      putAll(store, 0);
      store.flush();
      putAll(store, 1);
    }
    try (Stream<Path> files = Files.list(original)) {
      for (Path file : files.filter(each -> !each.endsWith(StoreFileName.LOCK)).toList()) {
        Files.createLink(copy.resolve(file.getFileName()), file);
      }
    } catch (UnsupportedOperationException | FileSystemException e) {
      Assumptions.abort("the file system has no hard links: " + e);
    }
    Map<String, String> before = contents(copy);
    try (RlsmStore store = RlsmStore.open(original, options)) {
      check(store, 1);
      overwrite(store, 2);
    }
    assertThat(contents(copy)).isEqualTo(before);
    try (RlsmStore store = RlsmStore.open(copy, options)) {
      check(store, 1);
      overwrite(store, 2);
    }
    try (RlsmStore store = RlsmStore.open(original, options)) {
      check(store, 5);
    }
  }

  private static Map<String, String> contents(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.collect(
          Collectors.toMap(file -> file.getFileName().toString(), RlsmLinkedCopyTest::content));
    }
  }

  private static String content(Path file) {
    try {
      byte[] bytes = Files.readAllBytes(file);
      return bytes.length + " bytes " + java.util.Arrays.hashCode(bytes);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
