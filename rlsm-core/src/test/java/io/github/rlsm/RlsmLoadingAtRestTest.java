// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.IoEvent;
import io.github.rlsm.io.SimulatedDirectory;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which files a store at rest loads into free memory. */
class RlsmLoadingAtRestTest {

  private static final int ENTRIES = 2_000;
  private static final int SEPARATED_BYTES = 400;

  private static final RlsmOptions OPTIONS = RlsmOptions.builder()
      .memtableEntries(500)
      .separationThreshold(SEPARATED_BYTES)
      .partitionBytes(1 << 16)
      .build();

  private final SimulatedDirectory directory = new SimulatedDirectory();
  private RlsmStore store;

  @BeforeEach
  void openStore() {
    store = RlsmStore.open(directory, OPTIONS, InlineScheduler.environment(3));
    directory.pageCache().holdsAll(false);
    directory.pageCache().freeBytes(0);
  }

  @AfterEach
  void close() {
    store.close();
    assertThat(directory.openHandles()).isEmpty();
  }

  /** Writes all entries, and then every second one again. */
  private void overwrite(int valueBytes) {
    for (int i = 0; i < ENTRIES; i++) {
      put(i, valueBytes);
    }
    store.flush();
    for (int i = 0; i < ENTRIES; i += 2) {
      put(i, valueBytes);
    }
  }

  private void put(int key, int valueBytes) {
    store.put(ByteBuffer.allocate(4).putInt(Integer.reverse(key)).array(), new byte[valueBytes]);
  }

  /** The names of the live files that jobs have dropped, by number. */
  private List<String> dropped(String prefix) {
    return live(prefix).stream()
        .filter(directory.pageCache().forgotten()::contains)
        .toList();
  }

  private List<String> live(String prefix) {
    return directory.list().stream()
        .filter(name -> name.startsWith(prefix))
        .sorted()
        .toList();
  }

  private List<String> inMemory(List<String> names) {
    return names.stream().filter(directory.pageCache()::holds).toList();
  }

  @ParameterizedTest
  @CsvSource({"200, tab-", "400, val-"})
  void droppedFilesAreLoadedOnceMemoryIsFree(int valueBytes, String prefix) {
    overwrite(valueBytes);
    store.settle();
    List<String> dropped = dropped(prefix);
    assertThat(dropped).isNotEmpty();
    assertThat(inMemory(dropped)).isEmpty();
    directory.pageCache().freeBytes(Long.MAX_VALUE);
    store.settle();
    assertThat(inMemory(dropped)).isEqualTo(dropped);
  }

  /** Jobs drop no table here: the first flush is linked to its partition. */
  @Test
  void evictedTablesAreLoadedOnceMemoryIsFree() {
    put(1, 200);
    store.settle();
    List<String> tables = live("tab-");
    assertThat(tables).isNotEmpty();
    assertThat(dropped("tab-")).isEmpty();
    assertThat(inMemory(tables)).isEmpty();
    directory.pageCache().freeBytes(Long.MAX_VALUE);
    store.settle();
    assertThat(inMemory(tables)).isEqualTo(tables);
  }

  @Test
  void tablesFromBeforeTheOpeningAreNotLoaded() {
    put(1, 200);
    store.settle();
    List<String> older = live("tab-");
    store.close();
    store = RlsmStore.open(directory, OPTIONS, InlineScheduler.environment(4));
    put(2, 200);
    directory.pageCache().freeBytes(Long.MAX_VALUE);
    store.settle();
    List<String> loaded = inMemory(live("tab-"));
    assertThat(older).isSubsetOf(live("tab-"));
    assertThat(loaded).isNotEmpty().doesNotContainAnyElementsOf(older);
  }

  @Test
  void eachFileIsLoadedOnce() {
    overwrite(200);
    store.settle();
    directory.pageCache().freeBytes(Long.MAX_VALUE);
    store.settle();
    List<String> dropped = dropped("tab-");
    assertThat(inMemory(dropped)).isEqualTo(dropped);
    dropped.forEach(directory.pageCache()::forget);
    store.settle();
    assertThat(inMemory(dropped)).isEmpty();
  }

  /** All files are deleted before there is room for them. */
  @Test
  void deletedFilesAreNotLoaded() {
    overwrite(200);
    store.settle();
    List<String> deleted = dropped("tab-");
    directory.pageCache().holdsAll(true);
    overwrite(200);
    store.settle();
    assertThat(directory.list()).doesNotContainAnyElementsOf(deleted);
    directory.pageCache().holdsAll(false);
    directory.pageCache().readAhead().clear();
    directory.pageCache().freeBytes(Long.MAX_VALUE);
    store.settle();
    assertThat(directory.pageCache().readAhead()).isEmpty();
  }

  @Test
  void noMoreIsLoadedThanIsFree() {
    overwrite(200);
    store.settle();
    List<String> dropped = dropped("tab-");
    assertThat(dropped).hasSizeGreaterThan(3);
    directory
        .pageCache()
        .freeBytes(directory.size(dropped.get(0)) + directory.size(dropped.get(1)));
    store.settle();
    assertThat(inMemory(dropped)).isEqualTo(dropped.subList(0, 2));
    directory.pageCache().freeBytes(directory.size(dropped.get(2)) - 1);
    store.settle();
    assertThat(inMemory(dropped)).isEqualTo(dropped.subList(0, 2));
    directory.pageCache().freeBytes(directory.size(dropped.get(2)));
    store.settle();
    assertThat(inMemory(dropped)).isEqualTo(dropped.subList(0, 3));
  }

  @Test
  void tablesAreLoadedBeforeValues() {
    overwrite(SEPARATED_BYTES);
    store.settle();
    List<String> tables = live("tab-");
    List<String> segments = dropped("val-");
    assertThat(inMemory(segments)).isEmpty();
    directory.pageCache().freeBytes(tables.stream().mapToLong(directory::size).sum());
    store.settle();
    assertThat(inMemory(tables)).isEqualTo(tables);
    assertThat(inMemory(segments)).isEmpty();
    directory.pageCache().freeBytes(directory.size(segments.get(0)));
    store.settle();
    assertThat(inMemory(segments)).isEqualTo(segments.subList(0, 1));
  }

  @Test
  void aWriteEndsTheLoading() {
    overwrite(200);
    store.settle();
    List<String> dropped = dropped("tab-");
    directory.pageCache().freeBytes(Long.MAX_VALUE);
    directory.pageCache().onReadAhead(() -> put(-1, 0));
    store.settle();
    assertThat(inMemory(dropped)).isEqualTo(dropped.subList(0, 1));
    directory.pageCache().onReadAhead(() -> {});
    store.settle();
    dropped = dropped("tab-");
    assertThat(inMemory(dropped)).isEqualTo(dropped);
  }

  @ParameterizedTest
  @CsvSource({"200, tab-", "400, val-"})
  void deletionsOfFilesFreeMemory(int valueBytes, String prefix) {
    overwrite(valueBytes);
    directory.onEvent(event -> {
      if (event.kind() == IoEvent.Kind.DELETE && event.file().startsWith(prefix)) {
        directory.pageCache().freeBytes(Long.MAX_VALUE);
      }
    });
    store.settle();
    List<String> dropped = dropped(prefix);
    assertThat(dropped).isNotEmpty();
    assertThat(inMemory(dropped)).isEqualTo(dropped);
  }
}
