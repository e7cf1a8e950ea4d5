// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.kv.KvStore;
import io.github.rlsm.proof.Proof;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Stores written by earlier builds can be opened, have their content, and accept writes.
 *
 * <p>This command writes the archives again and checks them:
 *
 * <pre>{@code
 * mvn -pl rlsm-core -am test -Dtest=StoredStoreTest -Dsurefire.failIfNoSpecifiedTests=false \
 *     -Drlsm.stores.write=src/test/resources/format/v1/stores
 * }</pre>
 */
class StoredStoreTest {

  private static final String IF_IT_FAILS =
      ", written by an earlier build: it does not open as it should. Until the format of release"
          + " 1.0 is frozen, a change of the format needs new archives, made with the command"
          + " in the Javadoc of this test. After that the archives stay: the code is wrong";

  @TempDir
  Path folder;

  @ParameterizedTest
  @EnumSource
  void opens(StoredStore stored) throws IOException {
    String target = System.getProperty("rlsm.stores.write", "");
    if (!target.isEmpty()) {
      Path archive = Files.createDirectories(Path.of(target)).resolve(stored.fileName());
      stored.write(Files.createDirectory(folder.resolve("new")), archive);
      Files.deleteIfExists(folder.resolve("new").resolve(StoredStore.DEVICE_FILE));
    }
    try {
      check(stored, target);
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError("the store " + stored + IF_IT_FAILS, e);
    }
    Proof.ran("T14", "stored stores", 1);
  }

  private void check(StoredStore stored, String target) throws IOException {
    Path copy = Files.createDirectory(folder.resolve("copy"));
    try (InputStream archive = open(stored, target)) {
      extract(archive, copy);
    }
    Path directory = copy.resolve(StoredStore.DIRECTORY);
    SortedMap<String, String> contents =
        StoredStore.properties(copy.resolve(StoredStore.CONTENTS_FILE));
    RlsmOptions options = StoredStore.options(
        StoredStore.properties(copy.resolve(StoredStore.OPTIONS_FILE)),
        copy.resolve(StoredStore.DEVICE_FILE));
    try (KvStore store = Rlsm.open(directory, options)) {
      assertThat(StoredStore.contents(store)).isEqualTo(contents);
      verify(store);
      assertThat(StoredStore.fresh(store)).isNull();
      StoredStore.writeOn(store);
      contents = StoredStore.contents(store);
    }
    RlsmOptions defaults = RlsmOptions.builder().shards(options.shards()).build();
    try (KvStore store = Rlsm.open(directory, defaults)) {
      assertThat(StoredStore.contents(store)).isEqualTo(contents);
      assertThat(StoredStore.fresh(store)).isNotNull();
      verify(store);
    }
  }

  private static void verify(KvStore store) {
    if (store instanceof RlsmStore engine) {
      engine.verify();
    }
  }

  private static InputStream open(StoredStore stored, String target) throws IOException {
    if (!target.isEmpty()) {
      return Files.newInputStream(Path.of(target).resolve(stored.fileName()));
    }
    InputStream resource =
        StoredStoreTest.class.getResourceAsStream("/format/v1/stores/" + stored.fileName());
    assertThat(resource).as("the archive of %s", stored).isNotNull();
    return resource;
  }

  private static void extract(InputStream archive, Path folder) throws IOException {
    ZipInputStream zip = new ZipInputStream(archive);
    for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
      Path file = folder.resolve(entry.getName());
      Files.createDirectories(file.getParent());
      Files.copy(zip, file);
    }
  }
}
