// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.FormatVersionException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Damaged tables cause a typed error, never a wrong answer. */
class TableCorruptionTest {

  private static final NavigableMap<byte[], TestEntry> MODEL =
      TestTables.randomModel(new Random(5), 60, 12, 40);

  @ParameterizedTest
  @EnumSource
  void everyBitOfASmallTable(PageCompression compression) {
    byte[] sound = TestTables.write(new TableWriter.Settings(512, 10, compression), MODEL);
    assertThat(sound.length).isGreaterThan(2000);
    for (int bit = 0; bit < 8 * sound.length; bit++) {
      byte[] damaged = sound.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      assertDamageIsFound(damaged, bit / 8);
    }
  }

  @Test
  void everyTruncation() {
    byte[] sound = TestTables.write(new TableWriter.Settings(512, 10, PageCompression.NONE), MODEL);
    for (int length = 0; length < sound.length; length++) {
      byte[] cut = Arrays.copyOf(sound, length);
      assertThatExceptionOfType(CorruptionException.class)
          .isThrownBy(() -> TestTables.open(cut))
          .withMessageContaining("memory.table");
    }
  }

  @Test
  void bytesAfterTheEnd() {
    byte[] sound = TestTables.write(TableWriter.Settings.DEFAULT, MODEL);
    assertThatThrownBy(() -> TestTables.open(Arrays.copyOf(sound, sound.length + 512)))
        .isInstanceOf(CorruptionException.class);
  }

  @ParameterizedTest
  @EnumSource
  void randomDamageOfSeveralBytes(PageCompression compression) {
    byte[] sound = TestTables.write(new TableWriter.Settings(1024, 10, compression), MODEL);
    SeededCases.run(2000, random -> {
      byte[] damaged = sound.clone();
      int start = random.nextInt(damaged.length);
      int length = Math.min(1 + random.nextInt(600), damaged.length - start);
      byte[] rubbish = new byte[length];
      if (random.nextBoolean()) {
        random.nextBytes(rubbish);
      }
      if (!Arrays.equals(damaged, start, start + length, rubbish, 0, length)) {
        System.arraycopy(rubbish, 0, damaged, start, length);
        assertDamageIsFound(damaged, start);
      }
    });
  }

  @Test
  void pagesThatChangedPlaces() {
    byte[] table = TestTables.write(new TableWriter.Settings(512, 10, PageCompression.NONE), MODEL);
    byte[] first = Arrays.copyOf(table, 512);
    System.arraycopy(table, 512, table, 0, 512);
    System.arraycopy(first, 0, table, 512, 512);
    assertThatThrownBy(() -> readAll(table))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining("checksum");
  }

  @Test
  void anotherTableUnderTheName() {
    byte[] bytes = TestTables.write(TableWriter.Settings.DEFAULT, MODEL);
    MemoryMappedFile file = MemoryMappedFile.direct(bytes);
    Table.Access access = TestTables.access();
    assertThatThrownBy(() -> Table.open(file, TestTables.STORE_ID, 43, access))
        .isInstanceOf(CorruptionException.class);
    assertThatThrownBy(() -> Table.open(file, 1, TestTables.FILE_NUMBER, access))
        .isInstanceOf(FormatVersionException.class);
    assertThat(file.isClosed()).isFalse();
  }

  @Test
  void damageIsNamedWithFileAndOffset() {
    byte[] bytes = TestTables.write(new TableWriter.Settings(512, 10, PageCompression.NONE), MODEL);
    bytes[3 * 512 + 100] ^= 1;
    assertThatExceptionOfType(CorruptionException.class)
        .isThrownBy(() -> readAll(bytes))
        .satisfies(e -> assertThat(e.file()).isEqualTo("memory.table"))
        .satisfies(e -> assertThat(e.offset()).isEqualTo(3 * 512));
  }

  @Test
  void otherPagesStayReadable() {
    byte[] bytes = TestTables.write(new TableWriter.Settings(512, 10, PageCompression.NONE), MODEL);
    bytes[3 * 512 + 100] ^= 1;
    Table table = TestTables.open(bytes);
    EntryView view = new EntryView();
    assertThat(TestTables.find(table, MODEL.firstKey(), view)).isTrue();
    assertThat(TestTables.find(table, MODEL.lastKey(), view)).isTrue();
  }

  @Test
  void damageUnderAnOpenTableIsFoundWhereEveryReadIsVerified() {
    NavigableMap<byte[], TestEntry> model = TestTables.model();
    model.put(new byte[] {1}, TestEntry.put(1, new byte[40]));
    MemoryMappedFile file =
        MemoryMappedFile.direct(TestTables.write(TableWriter.Settings.DEFAULT, model));
    Table.Access access = new Table.Access(new PageCache(0), new ReadCounters(), true);
    Table table = Table.open(file, TestTables.STORE_ID, TestTables.FILE_NUMBER, access);
    EntryView view = new EntryView();
    assertThat(TestTables.find(table, new byte[] {1}, view)).isTrue();
    file.memory().put(view.valueOffset(), (byte) 1);
    assertThatThrownBy(() -> TestTables.find(table, new byte[] {1}, view))
        .isInstanceOf(CorruptionException.class);
  }

  /** Overwrites verified pages. Reads of any garbage must stay within the file. */
  @Test
  void rubbishUnderAnOpenTableIsATypedError() {
    byte[] bytes = TestTables.write(new TableWriter.Settings(512, 0, PageCompression.NONE), MODEL);
    SeededCases.run(3000, random -> {
      MemoryMappedFile file = MemoryMappedFile.direct(bytes);
      Table table =
          Table.open(file, TestTables.STORE_ID, TestTables.FILE_NUMBER, TestTables.access());
      TestTables.checkAll(table);
      for (int i = 0; i < 20; i++) {
        file.memory().put(random.nextInt(2 * 512), (byte) random.nextInt());
      }
      EntryView view = new EntryView();
      try {
        for (byte[] key : MODEL.keySet()) {
          if (TestTables.find(table, key, view)) {
            readValue(view.buffer(), view.valueOffset(), view.valueLength());
          }
        }
        EntryCursor cursor = table.cursor(KeyRange.ALL, random.nextBoolean());
        for (boolean on = cursor.seekFirst(); on; on = cursor.next()) {
          CursorEntry entry = cursor.entry();
          readValue(entry.buffer(), entry.keyOffset(), entry.keyLength());
          readValue(entry.buffer(), entry.valueOffset(), entry.valueLength());
        }
      } catch (CorruptionException e) {
        assertThat(e.file()).isEqualTo("memory.table");
      }
    });
  }

  private static void readValue(ByteBuffer buffer, int offset, int length) {
    if (length > 0) {
      buffer.get(offset);
      buffer.get(offset + length - 1);
    }
  }

  private static void assertDamageIsFound(byte[] damaged, int offset) {
    try {
      readAll(damaged);
    } catch (CorruptionException | FormatVersionException e) {
      return;
    }
    throw new AssertionError("damage at " + offset + " was not found");
  }

  /** Reads the whole table in every possible way. All results must be right. */
  private static void readAll(byte[] bytes) {
    try (Table table = TestTables.open(bytes)) {
      CorruptionException damage = null;
      EntryView view = new EntryView();
      for (Map.Entry<byte[], TestEntry> entry : MODEL.entrySet()) {
        try {
          assertThat(TestTables.find(table, entry.getKey(), view)).isTrue();
          entry.getValue().assertIn(view);
        } catch (CorruptionException e) {
          damage = e;
        }
      }
      try {
        EntryCursor cursor = table.cursor(KeyRange.ALL, false);
        boolean on = cursor.seekFirst();
        for (Map.Entry<byte[], TestEntry> entry : MODEL.entrySet()) {
          assertThat(on).isTrue();
          assertThat(TestEntry.key(cursor)).isEqualTo(entry.getKey());
          entry.getValue().assertAt(cursor);
          on = cursor.next();
        }
        assertThat(on).isFalse();
      } catch (CorruptionException e) {
        damage = e;
      }
      if (damage != null) {
        throw damage;
      }
      TestTables.checkAll(table);
    }
  }
}
