// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.Snapshot;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the space of files after data was written, overwritten and deleted. */
class RlsmSpaceTest {

  private static final int ENTRIES = 400;
  private static final int VALUE_BYTES = 1000;
  private static final long VALUES_BYTES = (long) ENTRIES * VALUE_BYTES;

  private final SimulatedDirectory directory = new SimulatedDirectory();
  private InlineScheduler scheduler = new InlineScheduler();
  private RlsmStore store = open();

  private RlsmStore open() {
    RlsmOptions options = RlsmOptions.builder()
        .logSegmentBytes(64 << 10)
        .memtableEntries(50)
        .separationThreshold(200)
        .backgroundThreads(1)
        .build();
    scheduler = new InlineScheduler();
    return RlsmStore.open(directory, options, scheduler.environmentOf(7));
  }

  private void idle() {
    scheduler.elapse();
    scheduler.elapse();
  }

  @AfterEach
  void close() {
    store.close();
    assertThat(directory.openHandles()).isEmpty();
  }

  private static byte[] key(int i) {
    return ByteBuffer.allocate(4).putInt(i).array();
  }

  private void putAll(int fill) {
    byte[] value = new byte[VALUE_BYTES];
    for (int i = 0; i < ENTRIES; i++) {
      value[0] = (byte) (fill + i);
      store.put(key(i), value, Durability.OS);
    }
  }

  private long bytes(StoreFileName.Type type) {
    return directory.list().stream()
        .filter(name ->
            StoreFileName.parse(name).filter(parsed -> parsed.type() == type).isPresent())
        .mapToLong(directory::size)
        .sum();
  }

  private long valueLogBytes() {
    return bytes(StoreFileName.Type.VALUE_LOG);
  }

  @Test
  void flushedValueSegmentsAreAsLongAsTheirRecords() {
    putAll(1);
    store.settle();
    assertThat(valueLogBytes()).isBetween(VALUES_BYTES, VALUES_BYTES * 6 / 5 + (128 << 10));
    store.close();
    store = open();
    assertThat(store.get(key(7))).hasSize(VALUE_BYTES).startsWith(8);
    store.verify();
  }

  @Test
  void segmentsWithoutLiveValuesAreDeleted() {
    putAll(1);
    store.settle();
    for (int i = 0; i < ENTRIES; i++) {
      store.delete(key(i));
    }
    store.settle();
    assertThat(valueLogBytes()).isLessThanOrEqualTo(128 << 10);
    assertThat(store.stats().space().deadBytes()).isZero();
  }

  @Test
  void idleStoreReclaimsSpaceUntilTheNextWrite() {
    putAll(1);
    store.settle();
    for (int i = 0; i < ENTRIES; i++) {
      store.delete(key(i));
    }
    store.flush();
    long tablesBefore = bytes(StoreFileName.Type.TABLE);
    scheduler.elapse();
    store.put(key(0), new byte[1]);
    scheduler.elapse();
    assertThat(bytes(StoreFileName.Type.TABLE)).isEqualTo(tablesBefore);
    idle();
    assertThat(bytes(StoreFileName.Type.TABLE)).isZero();
    assertThat(valueLogBytes()).isLessThanOrEqualTo(128 << 10);
    assertThat(store.get(key(0))).hasSize(1);
    assertThat(store.get(key(1))).isNull();
  }

  /**
   * All files count: logs, values, tables and the manifest. No thread calls the store. The values
   * lie in the value log, in tables, or half in each.
   */
  @ParameterizedTest
  @ValueSource(ints = {512, 2 * VALUE_BYTES, VALUE_BYTES})
  void idleStoreReclaimsTheSpaceOfDeletedKeys(int separationThreshold) {
    store.close();
    RlsmOptions options = RlsmOptions.builder()
        .logSegmentBytes(16 << 20)
        .separationThreshold(separationThreshold)
        .build();
    scheduler = new InlineScheduler();
    store = RlsmStore.open(directory, options, scheduler.environmentOf(7));
    for (int i = 0; i < 100_000; i++) {
      store.put(key(i), new byte[VALUE_BYTES - i % 2], Durability.OS);
    }
    long peak = directory.usedBytes();
    assertThat(peak).isGreaterThan(100_000L * (VALUE_BYTES - 1));
    int logged = separationThreshold < VALUE_BYTES ? 100_000 : 50_000;
    long inLog = separationThreshold > VALUE_BYTES ? 0 : (long) logged * VALUE_BYTES;
    assertThat(valueLogBytes()).isBetween(inLog, inLog + 3 * (16 << 20));
    for (int i = 0; i < 100_000; i++) {
      store.delete(key(i));
      peak = i % 1_000 == 0 ? Math.max(peak, directory.usedBytes()) : peak;
    }
    idle();
    assertThat(directory.usedBytes())
        .as(() -> directory.list().stream()
            .map(n -> n + " " + directory.size(n))
            .toList()
            .toString())
        .isLessThanOrEqualTo(peak / 20);
    store.verify();
    assertThat(store.get(key(1))).isNull();
  }

  @Test
  void distinctKeysAreNotRewrittenForGarbage() {
    putAll(1);
    store.settle();
    long written = store.stats().writes().bytesByCause().get("clean");
    for (int i = 0; i < 3; i++) {
      store.settle();
      idle();
    }
    assertThat(store.stats().writes().bytesByCause().get("clean")).isEqualTo(written);
  }

  @Test
  void aSettledStoreKeepsNoLongLogSegments() {
    store.close();
    RlsmOptions options = RlsmOptions.builder().logSegmentBytes(32 << 20).build();
    store = RlsmStore.open(directory, options, new InlineScheduler().environmentOf(7));
    byte[] value = new byte[400];
    for (int i = 0; i < 30_000; i++) {
      store.put(key(i), value, Durability.OS);
    }
    assertThat(bytes(StoreFileName.Type.WRITE_AHEAD_LOG)).isGreaterThan(16 << 20);
    store.settle();
    assertThat(bytes(StoreFileName.Type.WRITE_AHEAD_LOG)).isLessThanOrEqualTo(4 << 20);
    store.settle();
    store.put(key(1), value, Durability.SYNC);
    assertThat(bytes(StoreFileName.Type.WRITE_AHEAD_LOG)).isLessThanOrEqualTo(4 << 20);
    assertThat(store.get(key(29_999))).hasSize(400);
  }

  @Test
  void aSnapshotKeepsTheSegmentsItReads() {
    putAll(1);
    try (Snapshot beforeTheFlush = store.snapshot()) {
      store.settle();
      try (Snapshot afterIt = store.snapshot()) {
        putAll(2);
        store.settle();
        putAll(3);
        for (int i = 0; i < ENTRIES; i++) {
          store.delete(key(i));
        }
        store.settle();
        for (int i = 0; i < ENTRIES; i++) {
          assertThat(beforeTheFlush.get(key(i))).startsWith((byte) (1 + i));
          assertThat(afterIt.get(key(i))).startsWith((byte) (1 + i));
        }
      }
    }
    store.settle();
    assertThat(valueLogBytes()).isLessThanOrEqualTo(128 << 10);
  }
}
