// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.ScanOptions;
import io.github.rlsm.kv.Snapshot;
import io.github.rlsm.thread.Environment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that small values that scans repeatedly fetch one by one from the value log are relocated
 * into key order. By the clock of these stores, every read of a value is slow.
 */
class RlsmStrayValuesTest {

  private static final int ENTRIES = 1_000;
  private static final int VALUE_BYTES = 900;
  private static final int SPARE_SEGMENTS_BYTES = 128 << 10;
  /** Makes a batch of values take longer than a read from memory may. */
  private static final long NANOS_A_CALL = 60_000;

  private final SimulatedDirectory directory = new SimulatedDirectory();
  private final AtomicLong clock = new AtomicLong();
  private RlsmStore store = open();

  private RlsmStore open() {
    return open(8);
  }

  private RlsmStore open(int runsPerPartition) {
    RlsmOptions options = RlsmOptions.builder()
        .logSegmentBytes(64 << 10)
        .memtableEntries(100)
        .runsPerPartition(runsPerPartition)
        .separationThreshold(200)
        .partitionBytes(256 << 10)
        .backgroundThreads(1)
        .build();
    Environment environment = new Environment(
        () -> clock.addAndGet(NANOS_A_CALL), new SplittableRandom(7), new InlineScheduler());
    return RlsmStore.open(directory, options, environment);
  }

  @AfterEach
  void close() {
    store.close();
    assertThat(directory.openHandles()).isEmpty();
  }

  private static byte[] key(int i) {
    return ByteBuffer.allocate(4).putInt(i).array();
  }

  private static byte[] value(int i, int length) {
    byte[] value = new byte[length];
    Arrays.fill(value, (byte) i);
    return value;
  }

  private void fill(int length) {
    write(length);
    store.settle();
  }

  private void write(int length) {
    for (int i = 0; i < ENTRIES; i++) {
      int shuffled = (int) (i * 619L % ENTRIES);
      store.put(key(shuffled), value(shuffled, length));
    }
  }

  private void assertScan(int length) {
    try (KvIterator scan = store.scan(ScanOptions.all())) {
      for (int i = 0; i < ENTRIES; i++) {
        assertThat(scan.next()).isTrue();
        assertThat(scan.key()).isEqualTo(key(i));
        assertThat(scan.value()).isEqualTo(value(i, length));
      }
      assertThat(scan.next()).isFalse();
    }
  }

  private List<String> files(StoreFileName.Type type) {
    return directory.list().stream()
        .filter(name -> StoreFileName.parse(name).orElseThrow().type() == type)
        .toList();
  }

  private long bytes(StoreFileName.Type type) {
    return files(type).stream().mapToLong(directory::size).sum();
  }

  private long valueLogBytes() {
    return bytes(StoreFileName.Type.VALUE_LOG);
  }

  /** Scans until scans cause no more relocations. */
  private void scanUntilPaid(int length) {
    long before;
    int rounds = 0;
    do {
      before = movedBytes();
      for (int i = 0; i < 3; i++) {
        assertScan(length);
      }
      store.settle();
      assertThat(++rounds).as("rounds of scans").isLessThan(20);
    } while (movedBytes() > before || rounds < 3);
  }

  private long movedBytes() {
    return store.stats().writes().bytesByCause().get("collect");
  }

  private static long valueLogBytesOf(int length) {
    return (long) ENTRIES * (length + 40) + SPARE_SEGMENTS_BYTES;
  }

  @Test
  void repeatedScansMoveValuesIntoKeyOrder() {
    fill(VALUE_BYTES);
    assertThat(movedBytes()).isZero();
    scanUntilPaid(VALUE_BYTES);
    assertThat(movedBytes())
        .isBetween((long) ENTRIES * VALUE_BYTES, 2 * valueLogBytesOf(VALUE_BYTES));
    assertThat(valueLogBytes()).isLessThan(valueLogBytesOf(VALUE_BYTES));
    assertScan(VALUE_BYTES);
    store.verify();
    store.close();
    store = open();
    assertScan(VALUE_BYTES);
    store.verify();
  }

  /** Without runs to seek in, the values alone must lead to a decision. */
  @Test
  void scansOfPartitionsWithOneRunStartTheMove() {
    store.close();
    store = open(1);
    fill(VALUE_BYTES);
    assertThat(files(StoreFileName.Type.TABLE)).hasSize(1);
    for (int i = 0; i < 10; i++) {
      assertScan(VALUE_BYTES);
    }
    assertThat(movedBytes()).isPositive();
  }

  /** Values in key order need few reads, so repeated scans do not relocate them. */
  @Test
  void valuesInKeyOrderAreNotMovedAgain() {
    fill(VALUE_BYTES);
    scanUntilPaid(VALUE_BYTES);
    long moved = movedBytes();
    for (int i = 0; i < 20; i++) {
      assertScan(VALUE_BYTES);
      store.settle();
    }
    assertThat(movedBytes()).isEqualTo(moved);
  }

  @Test
  void unscannedValuesAreNotMoved() {
    fill(VALUE_BYTES);
    for (int i = 0; i < ENTRIES; i++) {
      assertThat(store.get(key(i))).hasSize(VALUE_BYTES);
    }
    store.settle();
    assertThat(movedBytes()).isZero();
  }

  @Test
  void storeWithoutWritesMovesValuesThatAreNotInMemory() {
    directory.pageCache().holdsAll(false);
    int length = 2_000;
    fill(length);
    long moved = movedBytes();
    assertThat(moved).isBetween((long) ENTRIES * length, valueLogBytesOf(length));
    assertThat(valueLogBytes()).isLessThan(valueLogBytesOf(length));
    assertScan(length);
    store.settle();
    assertThat(movedBytes()).as("after another rest").isEqualTo(moved);
    store.verify();
  }

  private List<String> forgottenAndLoaded() {
    return files(StoreFileName.Type.VALUE_LOG).stream()
        .filter(directory.pageCache().forgotten()::contains)
        .filter(directory.pageCache()::holds)
        .toList();
  }

  /** A move fills memory with old values. Their deletion leaves it free. */
  @Test
  void movedValuesTakeTheMemoryOfDeletedOnes() {
    directory.pageCache().holdsAll(false);
    int length = 2_000;
    fill(length);
    assertThat(forgottenAndLoaded().stream().mapToLong(directory::size).sum())
        .isGreaterThan((long) ENTRIES * length);
  }

  /** The old values fill memory until the snapshot is closed. */
  @Test
  void movedValuesTakeNoMemoryWhileASnapshotNeedsTheOldOnes() {
    directory.pageCache().holdsAll(false);
    directory.pageCache().freeBytes(0);
    write(2_000);
    store.flush();
    try (Snapshot snapshot = store.snapshot()) {
      store.settle();
      assertThat(movedBytes()).isPositive();
      assertThat(snapshot.get(key(5))).isEqualTo(value(5, 2_000));
      assertThat(forgottenAndLoaded()).isEmpty();
      directory.pageCache().freeBytes(1 << 30);
    }
    store.settle();
    assertThat(forgottenAndLoaded()).isNotEmpty();
  }

  @Test
  void movedValuesTakeNoMemoryFromWriters() {
    directory.pageCache().holdsAll(false);
    write(2_000);
    write(2_000);
    store.collect();
    assertThat(movedBytes()).isPositive();
    assertThat(forgottenAndLoaded()).isEmpty();
  }

  /** The values of one move are copied in several parts, since their list is limited. */
  @Test
  void moveOfMoreValuesThanItsListHolds() {
    store.close();
    directory.pageCache().holdsAll(false);
    RlsmOptions options = RlsmOptions.builder()
        .logSegmentBytes(16 << 20)
        .separationThreshold(100)
        .backgroundThreads(1)
        .build();
    store = RlsmStore.open(directory, options, new InlineScheduler().environmentOf(7));
    int entries = 300_000;
    byte[] value = new byte[128];
    for (int i = 0; i < entries; i++) {
      int shuffled = (int) (i * 7_919L % entries);
      ByteBuffer.wrap(value).putInt(shuffled);
      store.put(key(shuffled), value);
    }
    store.settle();
    assertThat(movedBytes()).isGreaterThan((long) entries * value.length);
    try (KvIterator scan = store.scan(ScanOptions.all())) {
      for (int i = 0; i < entries; i++) {
        assertThat(scan.next()).isTrue();
        assertThat(ByteBuffer.wrap(scan.value()).getInt()).isEqualTo(i);
      }
      assertThat(scan.next()).isFalse();
    }
    store.verify();
  }

  @Test
  void storeWithoutWritesDoesNotMoveValuesWrittenInKeyOrder() {
    directory.pageCache().holdsAll(false);
    for (int i = 0; i < ENTRIES; i++) {
      store.put(key(i), value(i, 2_000));
    }
    store.settle();
    assertThat(movedBytes()).isZero();
    assertScan(2_000);
  }

  @Test
  void storeWithoutWritesDoesNotMoveLargeValues() {
    directory.pageCache().holdsAll(false);
    fill(5_000);
    assertThat(movedBytes()).isZero();
  }

  @Test
  void largeValuesAreNotMoved() {
    fill(5_000);
    scanUntilPaid(5_000);
    assertThat(movedBytes()).isZero();
    assertScan(5_000);
  }

  @Test
  void newValuesGoToTheEndOfTheLog() {
    fill(VALUE_BYTES);
    scanUntilPaid(VALUE_BYTES);
    store.put(key(5), value(6, 950));
    store.delete(key(7));
    store.settle();
    assertThat(store.get(key(5))).isEqualTo(value(6, 950));
    assertThat(store.get(key(7))).isNull();
    store.verify();
  }

  @Test
  void snapshotReadsMovedValuesAtTheirOldPlaces() {
    fill(VALUE_BYTES);
    try (Snapshot snapshot = store.snapshot()) {
      scanUntilPaid(VALUE_BYTES);
      assertThat(valueLogBytes()).isGreaterThan(3L * ENTRIES * VALUE_BYTES / 2);
      for (int i = 0; i < ENTRIES; i++) {
        assertThat(snapshot.get(key(i))).isEqualTo(value(i, VALUE_BYTES));
      }
    }
    store.settle();
    assertThat(valueLogBytes()).isLessThan(valueLogBytesOf(VALUE_BYTES));
  }

  /** Each read of the damaged key reports the damage, before and after the relocations. */
  @Test
  void segmentWithADamagedValueIsNotDeleted() {
    fill(VALUE_BYTES);
    String segment =
        files(StoreFileName.Type.VALUE_LOG).stream().sorted().findFirst().orElseThrow();
    store.close();
    directory.flipBit(segment, 8L * 10 * VALUE_BYTES);
    store = open();
    for (int i = 0; i < 10; i++) {
      try (KvIterator scan = store.scan(ScanOptions.all())) {
        while (scan.next()) {
          readOrDamaged(scan);
        }
      }
    }
    store.settle();
    assertThat(movedBytes()).isGreaterThan(ENTRIES * VALUE_BYTES / 2);
    assertThat(directory.exists(segment)).isTrue();
    int damaged = 0;
    for (int i = 0; i < ENTRIES; i++) {
      byte[] key = key(i);
      try {
        assertThat(store.get(key)).isEqualTo(value(i, VALUE_BYTES));
      } catch (CorruptionException e) {
        damaged++;
        assertThat(e).hasMessageContaining(segment);
      }
    }
    assertThat(damaged).isEqualTo(1);
  }

  private static void readOrDamaged(KvIterator scan) {
    byte[] key = scan.key();
    try {
      assertThat(scan.value()).isEqualTo(value(ByteBuffer.wrap(key).getInt(), VALUE_BYTES));
    } catch (CorruptionException e) {
      assertThat(e).hasMessageContaining("val-");
    }
  }
}
