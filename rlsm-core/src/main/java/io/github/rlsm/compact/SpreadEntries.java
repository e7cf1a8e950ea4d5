// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.table.Table;
import io.github.rlsm.table.Table.KeySample;
import java.util.List;
import java.util.function.Consumer;

/**
 * Visits a sample of a table's entries, spread evenly over it, for estimates of the whole. It takes
 * several entries of each page. A store that exceeds memory has to read most of these pages from
 * the device, and also the pages in which the sampled keys are looked up. Neighbouring keys share
 * both.
 *
 * <p>Rejected: one entry of each page. That is more exact if clients overwrite whole ranges, but
 * such pages were two fifths of the device reads of overwriting.
 */
final class SpreadEntries {

  private static final int ENTRIES_PER_PAGE_MAX = 8;

  private SpreadEntries() {}

  /**
   * Visits about {@code wanted} entries of a table with keys in a range, or all if the table has no
   * more entries. Requests all pages before it reads the first one.
   *
   * @param each gets the entry, and must not keep it
   * @return the number of entries visited
   */
  static int visit(Table table, KeyRange range, int wanted, Consumer<CursorEntry> each) {
    EntryCursor cursor = table.cursor(range, false);
    if (table.properties().entries() <= wanted) {
      return visit(cursor, cursor.seekFirst(), Integer.MAX_VALUE, each);
    }
    int perPage = Math.min(ENTRIES_PER_PAGE_MAX, Math.max(1, table.entriesPerPage()));
    List<KeySample> places = table.samples(range, (wanted + perPage - 1) / perPage);
    table.request(places);
    // If the range has fewer pages, entries of the pages after them are visited too.
    int perPlace = (wanted + places.size() - 1) / Math.max(1, places.size());
    int visited = 0;
    for (KeySample place : places) {
      boolean stands = cursor.seek(place.key(), 0, place.key().length);
      visited += visit(cursor, stands, perPlace, each);
    }
    return visited;
  }

  private static int visit(
      EntryCursor cursor, boolean stands, int most, Consumer<CursorEntry> each) {
    int visited = 0;
    for (boolean more = stands; more && visited < most; more = cursor.next()) {
      each.accept(cursor.entry());
      visited++;
    }
    return visited;
  }
}
