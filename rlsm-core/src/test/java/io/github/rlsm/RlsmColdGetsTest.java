// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.SimulatedPageCache.Read;
import io.github.rlsm.io.SimulatedPageCache.ReadAhead;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.thread.Environment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests which gets read by system calls, and that their results are the same. */
class RlsmColdGetsTest {

  private static final int ENTRIES = 2_000;

  private static final int VALUE_BYTES = 5_000;

  private static final int LONG_VALUE_BYTES = 100_000;
  private static final int LONG_KEY = ENTRIES;

  /** A key that needs a page of more than one unit. */
  private static final byte[] LONG_NAME = new byte[1_500];

  /** A read that takes this long has waited for the device. */
  private static final long SLOW = 60_000;

  private final SimulatedDirectory directory = new SimulatedDirectory();
  private final AtomicLong clock = new AtomicLong();
  private final AtomicLong nanosACall = new AtomicLong(1);
  private RlsmStore store;

  private static byte[] key(int i) {
    return ByteBuffer.allocate(4).putInt(i).array();
  }

  private static byte[] value(int i) {
    byte[] value = new byte[i == LONG_KEY ? LONG_VALUE_BYTES : VALUE_BYTES];
    new SplittableRandom(i).nextBytes(value);
    return value;
  }

  private void openStore() {
    RlsmOptions options = RlsmOptions.builder()
        .logSegmentBytes(16 << 20)
        .memtableEntries(4 * ENTRIES)
        .separationThreshold(200)
        .pageBytes(1024)
        .build();
    Environment environment = new Environment(
        () -> clock.addAndGet(nanosACall.get()), new SplittableRandom(7), new InlineScheduler());
    store = RlsmStore.open(directory, options, environment);
  }

  @BeforeEach
  void fillStore() {
    openStore();
    for (int i = 0; i <= LONG_KEY; i++) {
      store.put(key(i), value(i));
    }
    store.put(LONG_NAME, value(0));
    store.flush();
    // Verifies every page: a page is verified in the mapping.
    readAll();
    assertThat(reads("")).isEmpty();
  }

  @AfterEach
  void close() {
    store.close();
    assertThat(directory.openHandles()).isEmpty();
  }

  private void readAll() {
    assertThat(store.get(LONG_NAME)).isEqualTo(value(0));
    for (int i = 0; i <= LONG_KEY; i++) {
      assertThat(store.get(key(i))).isEqualTo(value(i));
    }
  }

  private void makeGetsCold() {
    nanosACall.set(SLOW);
    for (int i = 0; i < 100; i++) {
      store.get(key(i));
    }
    directory.pageCache().reads().clear();
    directory.pageCache().readAhead().clear();
  }

  private List<Read> reads(String prefix) {
    return directory.pageCache().reads().stream()
        .filter(read -> read.name().startsWith(prefix))
        .toList();
  }

  private List<ReadAhead> readAhead() {
    return List.copyOf(directory.pageCache().readAhead());
  }

  @Test
  void coldGetReadsItsValueAndItsPageByOneSystemCallEach() {
    makeGetsCold();
    assertThat(store.get(key(1_077))).isEqualTo(value(1_077));
    assertThat(reads("val-"))
        .singleElement()
        .satisfies(read -> assertThat(read.length()).isBetween(VALUE_BYTES, VALUE_BYTES + 64));
    assertThat(directory.pageCache().reads()).hasSize(2);
    assertThat(readAhead()).isEmpty();
  }

  @Test
  void coldGetsHaveTheSameResults() {
    makeGetsCold();
    readAll();
    assertThat(reads("val-")).hasSize(ENTRIES + 1);
    ByteBuffer destination = ByteBuffer.allocate(VALUE_BYTES);
    assertThat(store.get(key(5), destination)).isEqualTo(VALUE_BYTES);
    assertThat(destination.array()).isEqualTo(value(5));
    assertThat(store.get(key(ENTRIES + 1))).isNull();
  }

  @Test
  void pagesOfDifferentLengthsAreCopiedInAnyOrder() {
    makeGetsCold();
    for (int i = 0; i < 3; i++) {
      assertThat(store.get(key(1_077))).isEqualTo(value(1_077));
      assertThat(store.get(LONG_NAME)).isEqualTo(value(0));
    }
    assertThat(directory.pageCache().reads()).hasSize(4 * 3);
  }

  @Test
  void fastGetsEndTheSystemCalls() {
    makeGetsCold();
    nanosACall.set(1);
    readAll();
    directory.pageCache().reads().clear();
    readAll();
    assertThat(reads("")).isEmpty();
  }

  @Test
  void longValuesAreReadAheadInTheMapping() {
    makeGetsCold();
    assertThat(store.get(key(LONG_KEY))).isEqualTo(value(LONG_KEY));
    assertThat(reads("val-")).isEmpty();
    assertThat(readAhead())
        .singleElement()
        .satisfies(request -> assertThat(request.length()).isGreaterThan(LONG_VALUE_BYTES));
  }

  @Test
  void systemWithoutTheCallReadsTheMapping() {
    makeGetsCold();
    directory.pageCache().readable(false);
    assertThat(store.get(key(1_077))).isEqualTo(value(1_077));
    assertThat(readAhead()).hasSize(1);
  }

  @Test
  void damagedValueIsFoundInACopy() {
    makeGetsCold();
    store.get(key(1_077));
    Read read = reads("val-").get(0);
    store.close();
    directory.flipBit(read.name(), 8L * (read.offset() + VALUE_BYTES / 2));
    openStore();
    makeGetsCold();
    assertThatExceptionOfType(CorruptionException.class)
        .isThrownBy(() -> store.get(key(1_077)))
        .withMessageContaining(read.name());
    assertThat(reads("val-")).contains(read);
    assertThat(store.get(key(1_078))).isEqualTo(value(1_078));
  }
}
