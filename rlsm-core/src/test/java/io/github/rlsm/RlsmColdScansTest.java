// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.SimulatedPageCache.ReadAhead;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.ScanOptions;
import io.github.rlsm.thread.Environment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which pages of tables a scan requests before it waits for one of them. */
class RlsmColdScansTest {

  private static final int ENTRIES = 8_000;
  private static final int VALUE_BYTES = 300;
  private static final int PAGE_BYTES = 4_096;

  /** Entries of one page, at least. */
  private static final int PER_PAGE = 11;

  /** Makes the search for the first key take longer than in memory. */
  private static final long WAIT_NANOS = 60_000;

  private final SimulatedDirectory directory = new SimulatedDirectory();
  private final AtomicLong clock = new AtomicLong();
  private long nanosPerCall = WAIT_NANOS;
  private RlsmStore store;

  private static byte[] key(int i) {
    return ByteBuffer.allocate(4).putInt(i).array();
  }

  @BeforeEach
  void fill() {
    Environment environment = new Environment(
        () -> clock.addAndGet(nanosPerCall), new SplittableRandom(7), new InlineScheduler());
    store = RlsmStore.open(directory, RlsmOptions.builder().build(), environment);
    for (int i = 0; i < ENTRIES; i++) {
      store.put(key(i), new byte[VALUE_BYTES]);
    }
    store.flush();
  }

  @AfterEach
  void close() {
    store.close();
    assertThat(directory.openHandles()).isEmpty();
  }

  /** Scans some entries from the middle of the keys. Returns the requests for pages of tables. */
  private List<ReadAhead> scan(ScanOptions.Builder options, int entries) {
    directory.pageCache().readAhead().clear();
    try (KvIterator scan = store.scan(options.from(key(ENTRIES / 2)).build())) {
      for (int i = 0; i < entries; i++) {
        assertThat(scan.next()).isTrue();
      }
    }
    return directory.pageCache().readAhead().stream()
        .filter(request -> request.name().startsWith("tab-"))
        .toList();
  }

  /** Scans until the store knows how long scans wait. */
  private void learn() {
    for (int i = 0; i < 20; i++) {
      scan(ScanOptions.builder().limit(1), 1);
    }
  }

  private static long bytes(List<ReadAhead> requests) {
    return requests.stream().mapToLong(ReadAhead::length).sum();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 50, 100})
  void limitedScanRequestsItsPagesAtOnce(int limit) {
    learn();
    List<ReadAhead> requests = scan(ScanOptions.builder().limit(limit), limit);
    assertThat(requests).hasSize(1);
    long pages = limit / (PER_PAGE + 2) + 1L;
    assertThat(bytes(requests)).isBetween(pages * PAGE_BYTES, (pages + 2) * PAGE_BYTES);
  }

  @Test
  void scanWithoutLimitRequestsTheFirstFewPages() {
    learn();
    List<ReadAhead> requests = scan(ScanOptions.builder(), 1);
    assertThat(requests).hasSize(1);
    assertThat(bytes(requests)).isBetween(2L * PAGE_BYTES, 6L * PAGE_BYTES);
  }

  @Test
  void scanOfPagesInMemoryRequestsNothing() {
    nanosPerCall = 100;
    learn();
    assertThat(scan(ScanOptions.builder().limit(PER_PAGE), PER_PAGE)).isEmpty();
  }

  /** One scan in 16 begins without a request, to measure how long its first page takes. */
  @Test
  void scansFindOutThatPagesAreInMemoryAgain() {
    learn();
    nanosPerCall = 100;
    int scans = 0;
    while (scan(ScanOptions.builder().limit(1), 1).size()
            + scan(ScanOptions.builder().limit(1), 1).size()
        > 0) {
      assertThat(++scans).isLessThan(16 * 200);
    }
  }
}
