// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.io.FilterDirectory;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.ScanOptions;
import io.github.rlsm.kv.Snapshot;
import io.github.rlsm.kv.WriteBatch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests flushes of a store whose values do not fit in memory: they put values into key order. */
class RlsmSortedFlushTest {

  private static final int ENTRIES = 1_000;
  private static final int VALUE_BYTES = 2_000;
  private static final int GENERATION = 40;

  /** Much longer than the distance at which the planner counts a jump between values. */
  private static final int SEGMENT_BYTES = 2 << 20;

  private final SimulatedDirectory directory = new SimulatedDirectory();

  /** The value segments that were created, by name. */
  private final Map<String, MappedFile> created = new HashMap<>();

  private RlsmStore store = open();

  /** Keeps the value segments that are being written. */
  private final class Watched extends FilterDirectory {

    Watched() {
      super(directory);
    }

    @Override
    public MappedFile createMapped(String name, int length) {
      MappedFile made = super.createMapped(name, length);
      if (StoreFileName.parse(name).orElseThrow().type() == StoreFileName.Type.VALUE_LOG) {
        created.put(name, made);
      }
      return made;
    }
  }

  private RlsmStore open() {
    directory.memoryBytes(0);
    RlsmOptions options = RlsmOptions.builder()
        .logSegmentBytes(SEGMENT_BYTES)
        .separationThreshold(200)
        .backgroundThreads(1)
        .build();
    return RlsmStore.open(new Watched(), options, new InlineScheduler().environmentOf(7));
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

  private static int shuffled(int i) {
    return 7 * i % ENTRIES; // adjacent keys are 143 writes apart
  }

  private void write(int length) {
    for (int i = 0; i < ENTRIES; i++) {
      store.put(key(shuffled(i)), value(shuffled(i), length));
    }
  }

  private void assertHolds(int length) {
    try (KvIterator scan = store.scan(ScanOptions.all())) {
      for (int i = 0; i < ENTRIES; i++) {
        assertThat(scan.next()).isTrue();
        assertThat(scan.key()).isEqualTo(key(i));
        assertThat(scan.value()).isEqualTo(value(i, length));
        assertThat(store.get(key(i))).isEqualTo(value(i, length));
      }
      assertThat(scan.next()).isFalse();
    }
  }

  private List<String> segments() {
    return directory.list().stream()
        .filter(
            name -> StoreFileName.parse(name).orElseThrow().type() == StoreFileName.Type.VALUE_LOG)
        .sorted()
        .toList();
  }

  /** The generation in the head of a segment. */
  private int generation(String segment) {
    return ByteBuffer.wrap(directory.bytes(segment))
        .order(ByteOrder.LITTLE_ENDIAN)
        .getInt(GENERATION);
  }

  /** The generations in the heads of the value segments. */
  private List<Integer> generations() {
    return segments().stream().map(this::generation).toList();
  }

  private long sorted() {
    return generations().stream().filter(generation -> generation < 0).count();
  }

  private void fill() {
    write(VALUE_BYTES); // the first flush finds no values, so it sorts none
    write(VALUE_BYTES);
    store.flush();
  }

  private void assertLogIsLeft() {
    assertThat(generations().stream().filter(generation -> generation > 0))
        .as("the first generation, and the active one")
        .hasSizeLessThanOrEqualTo(2);
  }

  @Test
  void flushWritesValuesInKeyOrderAndLeavesTheLog() {
    fill();
    assertThat(sorted()).isPositive();
    assertLogIsLeft();
    assertThat(store.stats().writes().bytesByCause().get("sort"))
        .isBetween((long) ENTRIES * VALUE_BYTES, 2L * ENTRIES * VALUE_BYTES);
    assertHolds(VALUE_BYTES);
    store.verify();
    store.close();
    store = open();
    assertHolds(VALUE_BYTES);
    store.verify();
  }

  @Test
  void storeAtRestMovesSortedValuesIntoLongRanges() {
    fill();
    assertThat(sorted()).isPositive();
    directory.pageCache().holdsAll(false);
    store.put(key(0), value(0, VALUE_BYTES)); // ends a rest that has begun
    store.settle();
    assertThat(generations()).as("active, moved").contains(0).allMatch(each -> each >= 0);
    assertHolds(VALUE_BYTES);
    long moved = store.stats().writes().bytesByCause().get("collect");
    store.settle();
    assertThat(store.stats().writes().bytesByCause()).containsEntry("collect", moved);
    store.verify();
  }

  @Test
  void entriesOfAllKindsAreFlushed() {
    fill();
    WriteBatch batch = new WriteBatch();
    for (int i = 0; i < ENTRIES; i += 3) {
      batch.put(key(i), value(i + 1, 1_500 + i));
    }
    store.write(batch);
    for (int i = 1; i < ENTRIES; i += 3) {
      store.delete(key(i));
      store.put(key(i + 1), value(i, 10));
    }
    store.flush();
    assertLogIsLeft();
    for (int i = 0; i < ENTRIES - 2; i += 3) {
      assertThat(store.get(key(i))).isEqualTo(value(i + 1, 1_500 + i));
      assertThat(store.get(key(i + 1))).isNull();
      assertThat(store.get(key(i + 2))).isEqualTo(value(i + 1, 10));
    }
    store.verify();
  }

  @Test
  void snapshotKeepsReadingTheLog() {
    fill();
    for (int i = 0; i < ENTRIES / 2; i++) {
      store.put(key(shuffled(i)), value(1, VALUE_BYTES));
    }
    try (Snapshot snapshot = store.snapshot();
        KvIterator scan = snapshot.scan(ScanOptions.all())) {
      List<String> before = segments();
      store.flush();
      assertThat(segments()).as("the log's segment is still read").containsAll(before);
      for (int i = 0; i < ENTRIES / 2; i++) {
        assertThat(snapshot.get(key(shuffled(i)))).isEqualTo(value(1, VALUE_BYTES));
      }
      assertThat(scan.next()).isTrue();
    }
    store.settle();
    store.verify();
  }

  @Test
  void valuesInTheOrderOfKeysStayInTheLog() {
    for (int i = 0; i < 3 * ENTRIES; i++) {
      store.put(key(i), value(i, VALUE_BYTES));
    }
    store.flush();
    assertThat(sorted()).isZero();
  }

  @Test
  void longValuesStayInTheLog() {
    write(6_000);
    write(6_000);
    store.flush();
    assertThat(sorted()).isZero();
    assertHolds(6_000);
  }

  @Test
  void valuesOfAForcedLogStayInIt() {
    store.put(key(1), value(1, 10));
    store.write(new WriteBatch().put(key(2), value(2, 10)), Durability.SYNC);
    write(VALUE_BYTES);
    write(VALUE_BYTES);
    store.flush();
    assertThat(sorted()).isZero();
  }

  @Test
  void valuesStayInTheLogIfAllFitInMemory() {
    directory.memoryBytes(1L << 40);
    fill();
    assertThat(sorted()).isZero();
    assertThat(store.stats().writes().bytesByCause()).containsEntry("sort", 0L);
  }

  @Test
  void overwrittenValuesDoNotCount() {
    store.settle();
    directory.memoryBytes(3L * ENTRIES * VALUE_BYTES);
    for (int i = 0; i < 8; i++) {
      write(VALUE_BYTES);
    }
    store.flush();
    assertThat(sorted()).isZero();
    assertHolds(VALUE_BYTES);
  }

  /** A flush must not fail for one value. The values stay in the log, and a read reports it. */
  @Test
  void damagedValueStaysInTheLog() {
    fill();
    long before = sorted();
    for (int i = 0; i < ENTRIES / 2; i++) {
      store.put(key(shuffled(i)), value(3, VALUE_BYTES));
    }
    damageActiveSegment();
    store.flush();
    assertThat(sorted()).isEqualTo(before);
    int damaged = 0;
    for (int i = 0; i < ENTRIES / 2; i++) {
      byte[] key = key(shuffled(i));
      try {
        assertThat(store.get(key)).isEqualTo(value(3, VALUE_BYTES));
      } catch (CorruptionException e) {
        damaged++;
      }
    }
    assertThat(damaged).isEqualTo(1);
    assertThatThrownBy(() -> store.verify()).isInstanceOf(CorruptionException.class);
  }

  /** Changes a byte of a value that is in no table yet. */
  private void damageActiveSegment() {
    String active = Collections.max(segments(), Comparator.comparingInt(this::generation));
    ByteBuffer memory = Objects.requireNonNull(created.get(active)).memory();
    int at = 100_000;
    while (memory.get(at) != 3) {
      at++;
    }
    memory.put(at, (byte) 4);
  }
}
