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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which values a scan prefetches from the device before the caller asks for them. */
class RlsmScanReadAheadTest {

  private static final int ENTRIES = 8_000;
  private static final int VALUE_BYTES = 1_000;
  private static final int RECORD_BYTES_MAX = VALUE_BYTES + 40;

  /** The size of the first batch of a scan that expects its values on the device. */
  private static final int FIRST_BATCH = 32;

  /** The size of all later batches but one. */
  private static final int BATCH = 128;

  /** The bytes of values that all scans together request ahead of their callers. */
  private static final int AHEAD_BYTES = 1 << 20;

  /** The values that each scan may request ahead, however many scans there are. */
  private static final int AHEAD_VALUES = 16;

  /** Makes a batch of values take longer than a read from memory may. */
  private static final long NANOS_A_CALL = 60_000;

  private final SimulatedDirectory directory = new SimulatedDirectory();
  private final AtomicLong clock = new AtomicLong();
  private RlsmStore store;

  private static byte[] key(int i) {
    return ByteBuffer.allocate(4).putInt(i).array();
  }

  @BeforeEach
  void openStoreThatExpectsColdValues() {
    RlsmOptions options = RlsmOptions.builder()
        .logSegmentBytes(16 << 20)
        .memtableEntries(ENTRIES)
        .separationThreshold(200)
        .build();
    Environment environment = new Environment(
        () -> clock.addAndGet(NANOS_A_CALL), new SplittableRandom(7), new InlineScheduler());
    directory.pageCache().holdsAll(false);
    store = RlsmStore.open(directory, options, environment);
  }

  @AfterEach
  void close() {
    store.close();
    assertThat(directory.openHandles()).isEmpty();
  }

  private void fill(int step) {
    fill(step, ENTRIES, VALUE_BYTES);
  }

  private void fill(int step, int entries, int valueBytes) {
    for (int i = 0; i < entries; i++) {
      store.put(key((int) ((long) i * step % entries)), new byte[valueBytes]);
    }
    store.flush();
    for (int i = 0; i < 20; i++) {
      read(ScanOptions.all(), entries, valueBytes);
    }
    directory.pageCache().readAhead().clear();
  }

  private void read(ScanOptions options, int entries) {
    read(options, entries, VALUE_BYTES);
  }

  private void read(ScanOptions options, int entries, int valueBytes) {
    try (KvIterator scan = store.scan(options)) {
      for (int i = 0; i < entries; i++) {
        assertThat(scan.next()).isTrue();
        assertThat(scan.value()).hasSize(valueBytes);
      }
    }
  }

  private List<ReadAhead> requests() {
    return directory.pageCache().readAhead().stream()
        .filter(request -> request.name().startsWith("val-"))
        .toList();
  }

  private long requestedBytes() {
    return requests().stream().mapToLong(ReadAhead::length).sum();
  }

  /**
   * A part of the keys. The scan begins in the middle of the last segment, which is the longest.
   */
  private static ScanOptions.Builder part(boolean descending) {
    byte[] middle = key(ENTRIES * 3 / 4);
    return descending
        ? ScanOptions.builder().to(middle).reverse()
        : ScanOptions.builder().from(middle);
  }

  private static ScanOptions scan(boolean descending, long limit) {
    return part(descending).limit(limit).build();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void limitedScanReadsAheadOfItsFirstBatch(boolean descending) {
    fill(1);
    read(scan(descending, ENTRIES), 1);
    assertThat(requestedBytes())
        .isBetween((FIRST_BATCH + BATCH) * (long) VALUE_BYTES, 300L * RECORD_BYTES_MAX);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void scanRequestsEachValueOnce(boolean descending) {
    fill(1);
    int entries = ENTRIES / 4;
    read(scan(descending, entries), entries);
    assertThat(requestedBytes())
        .isBetween(entries * (long) VALUE_BYTES * 9 / 10, (long) entries * RECORD_BYTES_MAX);
  }

  /** A thread reuses the object that knows the requested ranges. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aScanRequestsWhatTheScanBeforeItRequested(boolean descending) {
    fill(1);
    // One batch in 16 begins without a request, to measure how long its values take.
    List<List<ReadAhead>> requests = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      directory.pageCache().readAhead().clear();
      read(scan(descending, BATCH), BATCH);
      if (requestedBytes() >= BATCH * (long) VALUE_BYTES) {
        requests.add(List.copyOf(requests()));
      }
    }
    assertThat(requests).hasSizeGreaterThanOrEqualTo(3);
    assertThat(new HashSet<>(requests)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void valuesAreRequestedAtLeastABatchAhead(boolean descending) {
    fill(1);
    int read = FIRST_BATCH + 64 + 3 * BATCH;
    read(scan(descending, ENTRIES), read);
    assertThat(requestedBytes()).isGreaterThan((read + BATCH) * (long) VALUE_BYTES);
  }

  @Test
  void scanReadsNothingBeyondItsLimit() {
    fill(1);
    int limit = 300;
    read(scan(false, limit), limit);
    assertThat(requestedBytes()).isLessThanOrEqualTo((long) limit * RECORD_BYTES_MAX);
  }

  @Test
  void scanWithoutLimitReadsAheadFromItsSecondBatchOn() {
    fill(1);
    ScanOptions unlimited = part(false).build();
    read(unlimited, FIRST_BATCH);
    assertThat(requestedBytes()).isLessThanOrEqualTo((long) FIRST_BATCH * RECORD_BYTES_MAX);
    directory.pageCache().readAhead().clear();
    read(unlimited, FIRST_BATCH + 1);
    assertThat(requestedBytes()).isGreaterThan((FIRST_BATCH + BATCH) * (long) VALUE_BYTES);
  }

  /** The next record in the log is not the next value of the scan. */
  @Test
  void valuesOutOfKeyOrderAreNotReadAhead() {
    fill(619);
    read(scan(false, ENTRIES), 1);
    assertThat(requestedBytes()).isLessThan(2L * FIRST_BATCH * RECORD_BYTES_MAX);
  }

  /** The requests of other scans would wait behind those of a whole batch. */
  @ParameterizedTest
  @CsvSource({"1, false", "1, true", "2, true", "4, false", "8, false"})
  void longValuesAreRequestedShortlyBeforeTheyAreRead(int scans, boolean descending) {
    int valueBytes = 16_000;
    int entries = 400;
    fill(61, entries, valueBytes);
    ScanOptions.Builder options = ScanOptions.builder().limit(BATCH);
    List<KvIterator> others = new ArrayList<>();
    for (int i = 1; i < scans; i++) {
      others.add(store.scan(ScanOptions.all()));
    }
    try (KvIterator scan = store.scan(descending ? options.reverse().build() : options.build())) {
      for (long read = 0; read < BATCH; read++) {
        assertThat(scan.next()).isTrue();
        assertThat(scan.value()).hasSize(valueBytes);
        assertThat(requestedBytes())
            .isBetween(
                (read + 1) * valueBytes,
                (read + 3) * (valueBytes + 40L)
                    + Math.max(AHEAD_BYTES / scans, AHEAD_VALUES * valueBytes));
      }
    }
    others.forEach(KvIterator::close);
    assertThat(requestedBytes()).isLessThanOrEqualTo(BATCH * (valueBytes + 40L));
  }
}
