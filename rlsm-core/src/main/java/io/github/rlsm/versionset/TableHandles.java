// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

import io.github.rlsm.version.Partition;
import io.github.rlsm.version.Run;
import io.github.rlsm.version.TableMeta;
import io.github.rlsm.version.Version;
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
 * The handles of the current version's tables, by table number.
 *
 * <p>Threads: one thread at a time; guarded by the lock under which versions are installed.
 *
 * @param <T> an open table
 */
final class TableHandles<T> {

  private final VersionHost<T> host;
  private final Map<Long, Handle<T>> handles = new HashMap<>();

  /** The number of the last evicted table. */
  private long lastEvicted;

  TableHandles(VersionHost<T> host) {
    this.host = host;
  }

  /**
   * Creates the live form of the version that is about to become current, with handles of its
   * tables.
   *
   * @param before the current version; the new one shares its unchanged partitions
   * @param whenDead called when the version is retired and not pinned
   */
  LiveVersion<T> enliven(
      Version version, @Nullable LiveVersion<T> before, Consumer<LiveVersion<T>> whenDead) {
    for (TableMeta table : version.tables()) {
      handles.computeIfAbsent(table.number(), number -> new Handle<>(table, host));
    }
    return new LiveVersion<>(version, of(version.l0()), partitions(version, before), whenDead);
  }

  @SuppressWarnings("unchecked") // Java has no generic arrays
  private LivePartition<T>[] partitions(Version version, @Nullable LiveVersion<T> before) {
    IdentityHashMap<Partition, LivePartition<T>> known = new IdentityHashMap<>();
    for (int i = 0; before != null && i < before.partitionCount(); i++) {
      known.put(before.partition(i).partition(), before.partition(i));
    }
    return version.partitions().stream()
        .map(partition -> {
          LivePartition<T> same = known.get(partition);
          return same != null ? same : changed(partition, before);
        })
        .toArray(LivePartition[]::new);
  }

  private LivePartition<T> changed(Partition partition, @Nullable LiveVersion<T> before) {
    Handle<T>[] tables = of(partition.runs());
    if (before != null) {
      byte[] from = partition.range().from();
      int index = from == null ? 0 : before.version().floorPartition(from, 0, from.length);
      if (index >= 0 && index < before.partitionCount()) {
        return LivePartition.after(before.partition(index), partition, tables);
      }
    }
    return new LivePartition<>(partition, tables);
  }

  @SuppressWarnings("unchecked") // Java has no generic arrays
  private Handle<T>[] of(List<Run> runs) {
    return runs.stream().map(run -> present(handles.get(run.table()))).toArray(Handle[]::new);
  }

  /**
   * Removes the handles of tables that are not in {@code version}. These handles were never used.
   */
  void retain(Version version) {
    handles.keySet().removeIf(number -> version.table(number) == null);
  }

  /** Removes the handle of a table that has left the current version. */
  Handle<T> remove(long table) {
    return present(handles.remove(table));
  }

  /** Returns the number of open tables of the current version. */
  int openCount() {
    int open = 0;
    for (Handle<T> handle : handles.values()) {
      open += handle.isOpen() ? 1 : 0;
    }
    return open;
  }

  /** Evicts some open tables, round-robin by table number. Returns the actions that close them. */
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
  Collection<Handle<T>> all() {
    return handles.values();
  }

  private static <H> H present(@Nullable H handle) {
    if (handle == null) {
      throw new AssertionError("a run names a table that the version does not have");
    }
    return handle;
  }

  /**
   * A live table that is opened on its first read. All versions that name the table share its
   * handle, which is closed when the last of them is dead. An open table can be {@linkplain #evict
   * evicted} earlier; the next read then opens it again.
   *
   * <p>Threads: any. A caller of {@link #table} holds a pin of a version that names the table, so
   * the call never runs during or after {@link #close}. The handle's monitor guards the opening.
   *
   * @param <T> an open table
   */
  static final class Handle<T> {

    private final TableMeta meta;
    private final VersionHost<T> host;

    /** Written under the monitor. The write publishes the open table to lock-free readers. */
    private volatile @Nullable T table;

    Handle(TableMeta meta, VersionHost<T> host) {
      this.meta = meta;
      this.host = host;
    }

    TableMeta meta() {
      return meta;
    }

    T table() {
      T open = table;
      return open != null ? open : open();
    }

    private synchronized T open() {
      T open = table;
      if (open == null) {
        open = host.openTable(meta);
        table = open;
      }
      return open;
    }

    boolean isOpen() {
      return table != null;
    }

    /**
     * Detaches the open table, so that the next reader opens it again.
     *
     * @return closes the detached table, to be run when it has no readers; null if it was not open
     */
    synchronized @Nullable Runnable evict() {
      T open = table;
      table = null;
      return open == null ? null : () -> host.closeTable(open);
    }

    /** Closes the table if it is open. */
    synchronized void close() {
      T open = table;
      if (open != null) {
        host.closeTable(open);
      }
    }
  }
}
