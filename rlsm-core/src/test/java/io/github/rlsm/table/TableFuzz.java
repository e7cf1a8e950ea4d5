// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.fuzz.Decoding;
import io.github.rlsm.fuzz.Forged;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;

/**
 * Reads any bytes as a table: its footer, fences, filter, properties and pages, with lookups, scans
 * and checks.
 */
public final class TableFuzz {

  private static final NavigableMap<byte[], TestEntry> MODEL =
      TestTables.randomModel(new Random(7), 24, 8, 60);

  private static final int FOOTER_BYTES = 96;

  /** The offset of the page count in the footer. */
  private static final int PAGE_COUNT = 8;

  private TableFuzz() {}

  /** Reads an input unchanged, and with corrected checksums. */
  public static void fuzzerTestOneInput(byte[] input) {
    Decoding.of(input.length, () -> read(input));
    byte[] sealed = sealed(input);
    Decoding.of(sealed.length, () -> read(sealed));
  }

  private static byte[] sealed(byte[] input) {
    int pages = input.length < FOOTER_BYTES
        ? -1
        : new Forged(input).buffer().getInt(input.length - FOOTER_BYTES + PAGE_COUNT);
    if (pages < 0 || pages > input.length) {
      return input; // The forgery would allocate an array for that many pages.
    }
    try {
      return new TableForgery(input).sealed();
    } catch (RuntimeException e) {
      return input; // Its offsets point outside of the input: no place for checksums.
    }
  }

  private static void read(byte[] bytes) {
    try (Table table = TestTables.open(bytes)) {
      EntryView view = new EntryView();
      for (byte[] key : MODEL.keySet()) {
        TestTables.find(table, key, view);
      }
      for (boolean reverse : new boolean[] {false, true}) {
        walk(table.cursor(KeyRange.ALL, reverse), bytes.length);
      }
      TestTables.checkAll(table);
    }
  }

  private static void walk(EntryCursor cursor, int entriesMax) {
    int entries = 0;
    for (boolean on = cursor.seekFirst(); on; on = cursor.next()) {
      TestEntry.key(cursor);
      CursorEntry entry = cursor.entry();
      entry.buffer().get(entry.valueOffset(), new byte[entry.valueLength()]);
      if (++entries > entriesMax) {
        throw new AssertionError("a table of " + entriesMax + " bytes has more entries");
      }
    }
  }

  /** Returns a table for each compression. */
  public static List<byte[]> seeds() {
    List<byte[]> seeds = new ArrayList<>();
    for (PageCompression compression : PageCompression.values()) {
      seeds.add(TestTables.write(new TableWriter.Settings(512, 10, compression), MODEL));
    }
    return seeds;
  }
}
