// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.level.ReadCounters;
import io.github.rlsm.level.Table;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.read.View;
import io.github.rlsm.version.PinnedVersion;
import io.github.rlsm.version.VersionSet;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the current view, and puts another in its place when the memory components or the files
 * change. A component that no view names any more is handed back.
 *
 * <p>Threads: any. Pinning takes no lock.
 */
final class Views {

  private final VersionSet<Table> versions;
  private final ReadCounters counters;
  private final Consumer<MemoryComponent> unused;
  private final Consumer<Runnable> background;
  private final ReentrantLock lock = new ReentrantLock();
  private final IdentityHashMap<MemoryComponent, Uses> uses =
      new IdentityHashMap<>(); // guarded by lock
  private List<MemoryComponent> memory = List.of(); // newest first; guarded by lock

  /** Null before the first view and once closed. */
  private volatile @Nullable View current;

  /**
   * No view yet.
   *
   * @param counters counts what lookups cost
   * @param unused is given each component once it has left the memory list and no view names it
   * @param background runs that, away from readers
   */
  Views(
      VersionSet<Table> versions,
      ReadCounters counters,
      Consumer<MemoryComponent> unused,
      Consumer<Runnable> background) {
    this.versions = versions;
    this.counters = counters;
    this.unused = unused;
    this.background = background;
  }

  /** The current view, pinned on the stripe. */
  View pin(int stripe) {
    View view = pinOrNull(stripe);
    if (view == null) {
      throw new StoreClosedException("store");
    }
    return view;
  }

  /** As {@link #pin}, but null once closed. */
  @Nullable
  View pinOrNull(int stripe) {
    View view = current;
    while (view != null && !view.tryPin(stripe)) {
      view = current;
    }
    return view;
  }

  /** The memory components, newest first. */
  List<MemoryComponent> memory() {
    lock.lock();
    try {
      return memory;
    } finally {
      lock.unlock();
    }
  }

  /** How many views name a component. */
  private static final class Uses {
    int count; // guarded by lock
  }

  /** Puts a component before the others. */
  void push(MemoryComponent component) {
    push(component, () -> {});
  }

  /**
   * Puts a component before the others.
   *
   * @param begin run just before the component is shown, when nothing else can fail
   */
  void push(MemoryComponent component, Runnable begin) {
    replace(
        now -> {
          List<MemoryComponent> next = new ArrayList<>(now);
          next.add(0, component);
          return next;
        },
        begin);
  }

  /** Takes out a component whose entries are in the current version now. */
  void remove(MemoryComponent component) {
    replace(
        now -> {
          List<MemoryComponent> next = new ArrayList<>(now);
          next.removeIf(other -> other == component);
          return next;
        },
        () -> {});
  }

  /** Shows the current version. */
  void refresh() {
    replace(now -> now, () -> {});
  }

  /** Replaces the view. If anything fails before {@code begin} has run, nothing has changed. */
  private void replace(UnaryOperator<List<MemoryComponent>> change, Runnable begin) {
    View old;
    lock.lock();
    try {
      List<MemoryComponent> named = List.copyOf(change.apply(memory));
      named.forEach(component -> uses.computeIfAbsent(component, any -> new Uses()));
      PinnedVersion<Table> files = versions.pin();
      View next;
      try {
        Runnable release = () -> release(named, files);
        next = new View(named, files, counters, () -> background.accept(release));
        begin.run();
      } catch (RuntimeException | Error e) {
        files.unpin();
        throw e;
      }
      for (MemoryComponent component : named) {
        Objects.requireNonNull(uses.get(component)).count++;
      }
      memory = named;
      old = current;
      current = next;
    } finally {
      lock.unlock();
    }
    if (old != null) {
      old.retire();
    }
  }

  private void release(List<MemoryComponent> named, PinnedVersion<Table> files) {
    files.unpin();
    List<MemoryComponent> free = new ArrayList<>();
    lock.lock();
    try {
      for (MemoryComponent component : named) {
        if (--Objects.requireNonNull(uses.get(component)).count == 0) {
          uses.remove(component);
          // What is in the memory list even so was there when the views were closed: its log is
          // what the next opening reads.
          if (!memory.contains(component)) {
            free.add(component);
          }
        }
      }
    } finally {
      lock.unlock();
    }
    free.forEach(unused);
  }

  /** Lets nobody pin a view any more. */
  void close() {
    View old;
    lock.lock();
    try {
      old = current;
      current = null;
    } finally {
      lock.unlock();
    }
    if (old != null) {
      old.retire();
    }
  }
}
