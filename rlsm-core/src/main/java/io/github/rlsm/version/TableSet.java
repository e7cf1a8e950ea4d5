// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The live tables in ascending order of their numbers, each with the number of runs that name it.
 * Immutable.
 *
 * <p>A table is live if and only if a run names it. So an edit never states that a table is
 * removed. Two concurrent edits may each remove one of a table's last two runs, and neither could
 * know that the table is removed.
 */
final class TableSet {

  static final TableSet EMPTY = new TableSet(List.of());

  private final List<Linked> linked;
  private final List<TableMeta> tables;

  /** A table and the number of runs that name it. */
  private record Linked(TableMeta table, int links) {}

  private TableSet(List<Linked> linked) {
    this.linked = linked;
    tables = linked.stream().map(Linked::table).toList();
  }

  List<TableMeta> tables() {
    return tables;
  }

  @Nullable
  TableMeta find(long number) {
    int index = indexOf(number);
    return index < 0 ? null : tables.get(index);
  }

  private int indexOf(long number) {
    int low = 0;
    int high = tables.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int side = Long.compare(tables.get(middle).number(), number);
      if (side == 0) {
        return middle;
      }
      if (side < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }

  /**
   * Returns these tables and the added ones, without tables that no run names.
   *
   * @param added tables that are not in the set
   * @param change the change in the number of runs, by table number
   * @throws IllegalStateException if a table is added twice, or no run names it; or if a run names
   *     an unknown table
   */
  TableSet with(List<TableMeta> added, Map<Long, Integer> change) {
    Map<Long, Integer> unmet = new HashMap<>(change);
    List<Linked> after = new ArrayList<>(linked);
    change.forEach((number, difference) -> {
      int index = indexOf(number);
      if (index >= 0) {
        Linked before = after.get(index);
        after.set(index, new Linked(before.table(), before.links() + difference));
        unmet.remove(number);
      }
    });
    after.removeIf(table -> table.links() == 0);
    for (TableMeta table : added) {
      Integer links = unmet.remove(table.number());
      if (links == null || links <= 0 || find(table.number()) != null) {
        throw new IllegalStateException(String.format(
            Locale.ROOT, "table %d exists already, or no run names it", table.number()));
      }
      after.add(new Linked(table, links));
    }
    if (!unmet.isEmpty()) {
      throw new IllegalStateException("runs name tables that do not exist: " + unmet.keySet());
    }
    after.sort(Comparator.comparingLong(table -> table.table().number()));
    return new TableSet(after);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TableSet set && linked.equals(set.linked);
  }

  @Override
  public int hashCode() {
    return linked.hashCode();
  }
}
