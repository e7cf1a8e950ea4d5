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

/** Visits a sample of a table's entries, spread evenly over it, for estimates of the whole. */
final class SpreadEntries {

  private SpreadEntries() {}

  /**
   * Visits about {@code wanted} entries of a table with keys in a range, or all if the table has no
   * more entries.
   *
   * @param each gets the entry, and must not keep it
   * @return the number of entries visited
   */
  static int visit(Table table, KeyRange range, int wanted, Consumer<CursorEntry> each) {
    EntryCursor cursor = table.cursor(range, false);
    if (table.properties().entries() <= wanted) {
      return visit(cursor, cursor.seekFirst(), Integer.MAX_VALUE, each);
    }
    List<KeySample> places = table.samples(range, wanted);
    // A place is the first key of a page. If there are few pages, the keys after it are visited
    // too.
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
