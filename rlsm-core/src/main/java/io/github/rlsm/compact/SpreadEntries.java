// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.level.KeySample;
import io.github.rlsm.level.Table;
import java.util.List;
import java.util.function.Consumer;

/** Some entries of a table, spread evenly over it, from which the rest is estimated. */
final class SpreadEntries {

  private SpreadEntries() {}

  /**
   * Shows about so many entries of a table's keys in a range, or all if the table has no more.
   *
   * @param each is given a cursor that stands on the entry, and must leave it there
   * @return how many it was given
   */
  static int visit(Table table, KeyRange range, int wanted, Consumer<EntryCursor> each) {
    EntryCursor cursor = table.cursor(range, false);
    if (table.properties().entries() <= wanted) {
      return visit(cursor, cursor.seekFirst(), Integer.MAX_VALUE, each);
    }
    List<KeySample> places = table.samples(range, wanted);
    // A place is the first key of a page; where pages are few, the keys behind it count as well.
    int perPlace = (wanted + places.size() - 1) / Math.max(1, places.size());
    int visited = 0;
    for (KeySample place : places) {
      boolean stands = cursor.seek(place.key(), 0, place.key().length);
      visited += visit(cursor, stands, perPlace, each);
    }
    return visited;
  }

  private static int visit(
      EntryCursor cursor, boolean stands, int most, Consumer<EntryCursor> each) {
    int visited = 0;
    for (boolean more = stands; more && visited < most; more = cursor.next()) {
      each.accept(cursor);
      visited++;
    }
    return visited;
  }
}
