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
 * The live tables, in the order of their numbers, and how many runs name each. Immutable.
 *
 * <p>A table is live because a run names it and for no other reason. So an edit never says that a
 * table goes: two edits made side by side, each dropping one of a table's last two runs, could not
 * know it.
 */
final class TableSet {

  static final TableSet EMPTY = new TableSet(List.of());

  private final List<Linked> linked;
  private final List<TableMeta> tables;

  /** A table and how many runs name it. */
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
   * These tables and the added ones, less those that no run names any more.
   *
   * @param added tables that are not in the set
   * @param change for each table whose runs change in number, by how much
   * @throws IllegalStateException if a table is added twice, or no run names it; or if a run names
   *     a table that is not there
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
            Locale.ROOT, "table %d is there already, or no run names it", table.number()));
      }
      after.add(new Linked(table, links));
    }
    if (!unmet.isEmpty()) {
      throw new IllegalStateException("runs name tables that are not there: " + unmet.keySet());
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
