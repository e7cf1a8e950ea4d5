// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The handles of the current version's tables, by number.
 *
 * <p>Threads: one thread at a time; guarded by the lock under which versions are installed.
 *
 * @param <T> an open table
 */
final class TableHandles<T> {

  private final VersionHost<T> host;
  private final Map<Long, TableHandle<T>> handles = new HashMap<>();

  /** The number of the table that was evicted last. */
  private long lastEvicted;

  TableHandles(VersionHost<T> host) {
    this.host = host;
  }

  /**
   * Puts the tables of a version at hand, which is to become current.
   *
   * @param before the version that was current, with which it shares what has not changed
   * @param whenDead told when the version is retired and nobody has it pinned
   */
  LiveVersion<T> enliven(
      Version version, @Nullable LiveVersion<T> before, Consumer<LiveVersion<T>> whenDead) {
    for (TableMeta table : version.tables()) {
      handles.computeIfAbsent(table.number(), number -> new TableHandle<>(table, host));
    }
    return new LiveVersion<>(version, of(version.l0()), partitions(version, before), whenDead);
  }

  private List<LivePartition<T>> partitions(Version version, @Nullable LiveVersion<T> before) {
    IdentityHashMap<Partition, LivePartition<T>> known = new IdentityHashMap<>();
    if (before != null) {
      before.partitions().forEach(partition -> known.put(partition.partition(), partition));
    }
    List<LivePartition<T>> partitions = new ArrayList<>(version.partitions().size());
    for (Partition partition : version.partitions()) {
      LivePartition<T> same = known.get(partition);
      partitions.add(same != null ? same : changed(partition, before));
    }
    return partitions;
  }

  private LivePartition<T> changed(Partition partition, @Nullable LiveVersion<T> before) {
    List<TableHandle<T>> tables = of(partition.runs());
    if (before != null) {
      byte[] from = partition.range().from();
      int index = from == null ? 0 : before.version().floorPartition(from, 0, from.length);
      if (index >= 0 && index < before.partitions().size()) {
        return LivePartition.after(before.partitions().get(index), partition, tables);
      }
    }
    return new LivePartition<>(partition, tables);
  }

  private List<TableHandle<T>> of(List<Run> runs) {
    List<TableHandle<T>> found = new ArrayList<>(runs.size());
    for (Run run : runs) {
      found.add(present(handles.get(run.table())));
    }
    return List.copyOf(found);
  }

  /**
   * Takes out the handles of tables that a version does not have. These handles were never used.
   */
  void retain(Version version) {
    handles.keySet().removeIf(number -> version.table(number) == null);
  }

  /** Takes out the handle of a table that is not in the current version any more. */
  TableHandle<T> remove(long table) {
    return present(handles.remove(table));
  }

  /** How many tables of the current version are open. */
  int openCount() {
    int open = 0;
    for (TableHandle<T> handle : handles.values()) {
      open += handle.isOpen() ? 1 : 0;
    }
    return open;
  }

  /** Evicts a number of open tables, which take turns. Returns the actions that close them. */
  List<Runnable> evict(int count) {
    List<Long> inTurn = new ArrayList<>(handles.keySet());
    inTurn.sort(Comparator.<Long, Boolean>comparing(number -> number <= lastEvicted)
        .thenComparing(Comparator.naturalOrder()));
    List<Runnable> closes = new ArrayList<>();
    for (long number : inTurn) {
      Runnable close =
          closes.size() == count ? null : present(handles.get(number)).evict();
      if (close != null) {
        closes.add(close);
        lastEvicted = number;
      }
    }
    return closes;
  }

  /** The handles of all tables of the current version. */
  Collection<TableHandle<T>> all() {
    return handles.values();
  }

  private static <H> H present(@Nullable H handle) {
    if (handle == null) {
      throw new AssertionError("a run names a table that the version does not have");
    }
    return handle;
  }
}
