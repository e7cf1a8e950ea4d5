// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.SimulatedPageCache.Read;
import io.github.rlsm.thread.Environment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests which tables a store at rest reads so that the kernel keeps them in memory. */
class RlsmIndexesAtRestTest {

  private static final int ENTRIES = 5_000;
  private static final int SEPARATED_BYTES = 400;

  private final SimulatedDirectory directory = new SimulatedDirectory();
  private final AtomicLong clock = new AtomicLong();
  private RlsmStore store;

  @BeforeEach
  void openStore() {
    RlsmOptions options = RlsmOptions.builder()
        .memtableEntries(2_000)
        .separationThreshold(SEPARATED_BYTES)
        .build();
    Environment environment =
        new Environment(clock::incrementAndGet, new SplittableRandom(7), new InlineScheduler());
    store = RlsmStore.open(directory, options, environment);
  }

  @AfterEach
  void close() {
    store.close();
    assertThat(directory.openHandles()).isEmpty();
  }

  private void write(int valueBytes) {
    for (int i = 0; i < ENTRIES; i++) {
      store.put(ByteBuffer.allocate(4).putInt(i).array(), new byte[valueBytes]);
    }
    store.flush();
  }

  /** The bytes of each table that were read by system calls. */
  private Map<String, Long> tablesRead() {
    return directory.pageCache().reads().stream()
        .filter(read -> read.name().startsWith("tab-"))
        .collect(
            Collectors.groupingBy(Read::name, TreeMap::new, Collectors.summingLong(Read::length)));
  }

  private List<String> tables() {
    return directory.list().stream()
        .filter(name -> name.startsWith("tab-"))
        .sorted()
        .toList();
  }

  @Test
  void newIndexesAreReadTwiceAtRest() {
    write(SEPARATED_BYTES);
    assertThat(tablesRead()).as("under load").isEmpty();
    store.settle();
    Map<String, Long> read = tablesRead();
    assertThat(read.keySet()).containsExactlyElementsOf(tables());
    read.forEach((name, bytes) -> {
      long length = directory.size(name);
      assertThat(bytes).as(name).isEven().isBetween(length, 2 * length);
    });
    store.settle();
    assertThat(tablesRead()).as("only once").isEqualTo(read);
  }

  @Test
  void pagesWithValuesAreNotRead() {
    write(SEPARATED_BYTES - 1);
    store.settle();
    assertThat(tables()).isNotEmpty();
    Map<String, Long> read = tablesRead();
    assertThat(read.keySet()).containsExactlyElementsOf(tables());
    read.forEach((name, bytes) -> assertThat(bytes).isLessThan(directory.size(name) / 4));
  }

  @Test
  void tablesFromBeforeTheOpeningAreNotRead() {
    write(SEPARATED_BYTES);
    store.close();
    openStore();
    store.settle();
    assertThat(tables()).isNotEmpty();
    assertThat(tablesRead()).isEmpty();
  }
}
