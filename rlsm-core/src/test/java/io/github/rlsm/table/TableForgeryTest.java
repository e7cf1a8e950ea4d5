// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.kv.CorruptionException;
import java.util.NavigableMap;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tables with valid checksums over wrong bytes: reads throw only typed errors, and the check finds
 * the error.
 */
class TableForgeryTest {

  private static final NavigableMap<byte[], TestEntry> MODEL =
      TestTables.randomModel(new Random(7), 60, 12, 40);
  private static final byte[] SOUND =
      TestTables.write(new TableWriter.Settings(512, 10, PageCompression.NONE), MODEL);

  @ParameterizedTest
  @EnumSource
  void randomForgeries(PageCompression compression) {
    byte[] sound = TestTables.write(new TableWriter.Settings(512, 10, compression), MODEL);
    SeededCases.run(5000, random -> {
      TableForgery forgery = new TableForgery(sound);
      int end = random.nextInt(4) == 0 ? forgery.footerStart() + 60 : forgery.blockStart(0);
      for (int i = random.nextInt(3); i >= 0; i--) {
        forgery.buffer().put(random.nextInt(end), (byte) random.nextInt());
      }
      use(forgery.sealed());
    });
  }

  @Test
  void forgedFencesPropertiesAndFooter() {
    SeededCases.run(5000, random -> {
      TableForgery forgery = new TableForgery(SOUND);
      int start = forgery.blockStart(random.nextInt(4));
      int[] interesting = {0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, 64, 512, random.nextInt()
      };
      int at = start + random.nextInt(60);
      forgery.buffer().putInt(at, interesting[random.nextInt(interesting.length)]);
      use(forgery.sealed());
    });
  }

  @Test
  void aSoundTableIsNoForgery() {
    TestTables.checkAll(TestTables.open(new TableForgery(SOUND).sealed()));
  }

  @Test
  void unknownKind() {
    assertCheckFails(forgery -> {
      int tag = forgery.buffer().getShort(24) & 0xFFFF;
      forgery.buffer().put(tag, (byte) (forgery.buffer().get(tag) & ~3));
    });
  }

  @Test
  void keysOutOfOrder() {
    assertCheckFails(forgery -> {
      int order = 24 + 4 * forgery.buffer().getShort(4);
      short first = forgery.buffer().getShort(order);
      forgery.buffer().putShort(order, forgery.buffer().getShort(order + 2));
      forgery.buffer().putShort(order + 2, first);
    });
  }

  @Test
  void wrongFingerprint() {
    assertCheckFails(forgery -> forgery.buffer().put(24 + 3, (byte) 0xFF));
  }

  @Test
  void wrongSeparator() {
    assertCheckFails(forgery -> {
      int separators = forgery.blockStart(0) + 20 * forgery.pageCount() + 12;
      forgery.buffer().put(separators, (byte) (forgery.buffer().get(separators) + 1));
    });
  }

  @Test
  void wrongPrefix() {
    assertCheckFails(forgery -> {
      int prefix = forgery.blockStart(0) + 8;
      forgery.buffer().putLong(prefix, forgery.buffer().getLong(prefix) + 1);
    });
  }

  @Test
  void filterWithMissingKeys() {
    assertCheckFails(forgery -> {
      for (int i = forgery.blockStart(1); i < forgery.blockStart(2); i++) {
        forgery.buffer().put(i, (byte) 0);
      }
    });
  }

  @Test
  void wrongCounts() {
    for (int offset = 8; offset < 56; offset += 8) {
      int field = offset;
      assertCheckFails(forgery -> {
        int at = forgery.blockStart(2) + field;
        forgery.buffer().putLong(at, forgery.buffer().getLong(at) + (field == 32 ? 1 : -1));
      });
    }
  }

  private static void assertCheckFails(Consumer<TableForgery> change) {
    TableForgery forgery = new TableForgery(SOUND);
    change.accept(forgery);
    byte[] bytes = forgery.sealed();
    assertThatThrownBy(() -> TestTables.checkAll(TestTables.open(bytes)))
        .isInstanceOf(CorruptionException.class);
  }

  private static void use(byte[] bytes) {
    try (Table table = TestTables.open(bytes)) {
      EntryView view = new EntryView();
      for (byte[] key : MODEL.keySet()) {
        try {
          if (TestTables.find(table, key, view) && view.valueLength() > 0) {
            view.buffer().get(view.valueOffset() + view.valueLength() - 1);
          }
        } catch (CorruptionException e) {
          assertThat(e).hasMessageContaining("memory.table");
        }
      }
      KeyRange range = KeyRange.of(MODEL.firstKey(), MODEL.lastKey());
      walk(table.cursor(range, false));
      walk(table.cursor(KeyRange.ALL, true));
      table.part(range);
      table.samples(range, 5);
      TestTables.checkAll(table);
    } catch (CorruptionException e) {
      assertThat(e).hasMessageContaining("memory.table");
    }
  }

  private static void walk(EntryCursor cursor) {
    for (boolean on = cursor.seekFirst(); on; on = cursor.next()) {
      CursorEntry entry = cursor.entry();
      entry.buffer().get(entry.keyOffset() + entry.keyLength() - 1);
      if (entry.valueLength() > 0) {
        entry.buffer().get(entry.valueOffset() + entry.valueLength() - 1);
      }
    }
  }
}
