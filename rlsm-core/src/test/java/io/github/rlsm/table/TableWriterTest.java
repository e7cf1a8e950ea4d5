// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.KeyBounds;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.SeqnoRange;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.AppendFile;
import io.github.rlsm.kv.DiskFullException;
import io.github.rlsm.table.TableProperties.SegmentUse;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableWriterTest {

  private static final TestEntry ENTRY = TestEntry.put(1, new byte[] {1});

  @Test
  void propertiesCountWhatWasWritten() {
    MemoryAppendFile file = new MemoryAppendFile();
    TableProperties properties;
    try (TableWriter writer = writer(file)) {
      TestTables.add(writer, new byte[] {1}, TestEntry.put(50, new byte[10]));
      TestTables.add(writer, new byte[] {1, 2}, TestEntry.tombstone(7));
      TestTables.add(writer, new byte[] {2}, pointer(8, 5, 100));
      TestTables.add(writer, new byte[] {3, 3, 3}, pointer(9, 2, 1000));
      TestTables.add(writer, new byte[] {4}, pointer(10, 5, 11));
      properties = writer.finish();
    }
    assertThat(properties)
        .isEqualTo(new TableProperties(
            new TableProperties.Counts(5, 1, 3),
            new SeqnoRange(7, 50),
            new KeyBounds(new byte[] {1}, new byte[] {4}),
            8,
            10,
            List.of(new SegmentUse(2, 1, 1, 1000), new SegmentUse(5, 2, 1, 111))))
        .hasSameHashCodeAs(TestTables.open(file.bytes()).properties());
    assertThat(TestTables.open(file.bytes()).properties()).isEqualTo(properties);
  }

  @Test
  void gapsCountThePlacesWhereAScanGoesElsewhere() {
    int[] offsets = {64, 1_064, 20_000, 40_000, 21_000, 4_000, 5_000_000, 5_001_000};
    MemoryAppendFile file = new MemoryAppendFile();
    try (TableWriter writer = writer(file)) {
      for (int i = 0; i < offsets.length; i++) {
        ValuePointer pointer = ValuePointer.of(3, offsets[i], i % 2 == 0, 900);
        TestTables.add(writer, new byte[] {(byte) i}, TestEntry.pointer(i, pointer));
      }
      writer.finish();
    }
    assertThat(TestTables.open(file.bytes()).properties().segments())
        .containsExactly(new SegmentUse(3, 8, 6, 7_200));
  }

  @Test
  void manySegments() {
    SeededCases.run(1, random -> {
      NavigableMap<byte[], TestEntry> model = TestTables.model();
      for (int i = 0; i < 500; i++) {
        model.put(new byte[] {(byte) (i >> 8), (byte) i}, pointer(i, random.nextInt(100) + 1, i));
      }
      Table table = TestTables.table(TableWriter.Settings.DEFAULT, model);
      TestTables.checkAll(table);
      List<SegmentUse> segments = table.properties().segments();
      assertThat(segments).isSortedAccordingTo((a, b) -> a.segment() - b.segment());
      assertThat(segments.stream().mapToLong(SegmentUse::pointers).sum()).isEqualTo(500);
      assertThat(segments.stream().mapToLong(SegmentUse::valueBytes).sum()).isEqualTo(124_750);
    });
  }

  private static TestEntry pointer(long seqno, int segment, int length) {
    return TestEntry.pointer(seqno, ValuePointer.of(segment, 64, false, length));
  }

  @Test
  void copiesATableThroughItsCursor() {
    NavigableMap<byte[], TestEntry> model = TestTables.randomModel(new Random(3), 500, 20, 100);
    byte[] bytes = TestTables.write(TableWriter.Settings.DEFAULT, model);
    MemoryAppendFile copy = new MemoryAppendFile();
    try (TableWriter writer = writer(copy)) {
      EntryCursor cursor = TestTables.open(bytes).cursor(KeyRange.ALL, false);
      for (boolean on = cursor.seekFirst(); on; on = cursor.next()) {
        writer.add(cursor.entry());
      }
      writer.finish();
    }
    assertThat(copy.bytes()).isEqualTo(bytes);
  }

  @Test
  void keysMustAscend() {
    try (TableWriter writer = writer(new MemoryAppendFile())) {
      TestTables.add(writer, new byte[] {5, 5}, ENTRY);
      for (byte[] key : new byte[][] {{5, 5}, {5}, {5, 4, 9}, {4}}) {
        assertThatThrownBy(() -> TestTables.add(writer, key, ENTRY))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("ascending");
      }
    }
  }

  @Test
  void entriesMustBeLegal() {
    ByteBuffer bytes = ByteBuffer.allocate(70_000);
    try (TableWriter writer = writer(new MemoryAppendFile())) {
      int[][] illegal = {
        {0, EntryKind.PUT, 1, 0},
        {65_536, EntryKind.PUT, 1, 0},
        {1, EntryKind.PUT, -1, 0},
        {1, EntryKind.DELETE, 1, 0},
        {1, EntryKind.POINTER, 11, 0},
        {1, 0, 1, 0},
        {1, 4, 1, 0},
        {1, EntryKind.PUT, 1, -1}
      };
      for (int[] entry : illegal) {
        CursorEntry illegalEntry = new CursorEntry();
        illegalEntry.setKey(bytes, 0, entry[0], 0);
        illegalEntry.setValue(entry[1], entry[3], entry[2]);
        assertThatThrownBy(() -> writer.add(illegalEntry))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("kind " + entry[1]);
      }
    }
  }

  @Test
  void misuseIsRefused() {
    MemoryAppendFile file = new MemoryAppendFile();
    TableWriter writer = writer(file);
    assertThatThrownBy(writer::finish).isInstanceOf(IllegalStateException.class);
    TestTables.add(writer, new byte[] {1}, ENTRY);
    writer.finish();
    assertThatThrownBy(() -> TestTables.add(writer, new byte[] {2}, ENTRY))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(writer::finish).isInstanceOf(IllegalStateException.class);
    writer.close();
    writer.close();
    assertThatThrownBy(() -> writer(file)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void memoryIsGivenBackAfterAFailure() {
    AppendFile full = new FullDisk();
    long before = PooledByteBufAllocator.DEFAULT.pinnedDirectMemory();
    try (TableWriter writer = writer(full)) {
      assertThatThrownBy(() -> {
            for (int i = 0; i < 2000; i++) {
              byte[] key = {(byte) (i >> 8), (byte) i};
              TestTables.add(writer, key, TestEntry.put(i, new byte[1000]));
            }
          })
          .isInstanceOf(DiskFullException.class);
    }
    assertThat(PooledByteBufAllocator.DEFAULT.pinnedDirectMemory()).isEqualTo(before);
  }

  /** A file that refuses all writes. */
  private static final class FullDisk implements AppendFile {

    @Override
    public String name() {
      return "full";
    }

    @Override
    public long length() {
      return 0;
    }

    @Override
    public void append(ByteBuffer bytes) {
      throw new DiskFullException("append", "full", new java.io.IOException("no space"));
    }

    @Override
    public void force() {}

    @Override
    public void close() {}
  }

  /** A table of medium-sized values must not waste a third of its pages. */
  @ParameterizedTest
  @ValueSource(ints = {10, 100, 400, 800, 1000, 1500, 2100, 3000, 5000, 9000, 20_000})
  void pagesAreFull(int valueBytes) {
    NavigableMap<byte[], TestEntry> model = TestTables.model();
    long payload = 0;
    while (payload < 1_000_000) {
      int i = model.size();
      model.put(
          new byte[] {(byte) (i >> 16), (byte) (i >> 8), (byte) i},
          TestEntry.put(i, new byte[valueBytes]));
      payload += valueBytes + 16;
    }
    Table table = TestTables.table(TableWriter.Settings.DEFAULT, model);
    TestTables.checkAll(table);
    double waste = 1 - payload / (double) TestTables.pageBytes(table, KeyRange.ALL);
    assertThat(waste).isLessThan(valueBytes < 2000 ? 0.13 : 0.26);
  }

  @Test
  void bytesSoFarPredictsTheLength() {
    NavigableMap<byte[], TestEntry> model = TestTables.randomModel(new Random(3), 5000, 20, 100);
    MemoryAppendFile file = new MemoryAppendFile();
    try (TableWriter writer = writer(file)) {
      long last = 0;
      for (var entry : model.entrySet()) {
        TestTables.add(writer, entry.getKey(), entry.getValue());
        assertThat(writer.bytesSoFar()).isGreaterThanOrEqualTo(last);
        last = writer.bytesSoFar();
      }
      writer.finish();
      assertThat((double) file.length()).isBetween(0.98 * last, 1.02 * last + 5000);
    }
  }

  private static TableWriter writer(AppendFile file) {
    return new TableWriter(
        file,
        TableWriter.Settings.DEFAULT,
        TableWriter.Size.of(100),
        TestTables.STORE_ID,
        TestTables.FILE_NUMBER);
  }
}
