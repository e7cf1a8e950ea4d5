// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.table.ReadCounters;
import io.github.rlsm.table.Table;
import io.github.rlsm.versionset.PinnedVersion;
import io.github.rlsm.versionset.VersionSet;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Holds the current read state, and replaces it when the memory components or the files change.
 * Hands back a component once no read state uses it.
 *
 * <p>Threads: any. Pinning takes no lock.
 *
 * <p>Keeps invariant I-6 of ARCHITECTURE.md.
 */
public final class ReadStates {

  private final VersionSet<Table> versions;
  private final ReadCounters counters;
  private final Consumer<MemoryComponent> unused;
  private final Consumer<Runnable> background;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final IdentityHashMap<MemoryComponent, Uses> uses = new IdentityHashMap<>();

  /** The memory components, newest first. */
  @GuardedBy("lock")
  private List<MemoryComponent> memory = List.of();

  /** The current read state; null before the first one and after close. */
  private volatile @Nullable ReadState current;

  /**
   * Creates an instance without a read state.
   *
   * @param counters counts the cost of lookups
   * @param unused receives each component that has left the memory list, once no read state uses it
   * @param background runs the cleanup of a read state outside the threads of readers
   */
  public ReadStates(
      VersionSet<Table> versions,
      ReadCounters counters,
      Consumer<MemoryComponent> unused,
      Consumer<Runnable> background) {
    this.versions = versions;
    this.counters = counters;
    this.unused = unused;
    this.background = background;
  }

  /** Returns the current read state, pinned on the stripe. */
  public ReadState pin(int stripe) {
    ReadState state = pinOrNull(stripe);
    if (state == null) {
      throw new StoreClosedException("store");
    }
    return state;
  }

  /** As {@link #pin}, but returns null after close. */
  @Nullable
  public ReadState pinOrNull(int stripe) {
    ReadState state = current;
    while (state != null && !state.tryPin(stripe)) {
      state = current;
    }
    return state;
  }

  /** Returns the memory components, newest first. */
  public List<MemoryComponent> memory() {
    lock.lock();
    try {
      return memory;
    } finally {
      lock.unlock();
    }
  }

  /** The number of read states that use a component. */
  private static final class Uses {
    int count; // guarded by lock
  }

  /** Adds a component as the newest. */
  public void push(MemoryComponent component) {
    push(component, () -> {});
  }

  /**
   * Adds a component as the newest.
   *
   * @param begin runs just before the component becomes visible, when no other step can fail
   */
  public void push(MemoryComponent component, Runnable begin) {
    replace(
        now -> {
          List<MemoryComponent> next = new ArrayList<>(now);
          next.add(0, component);
          return next;
        },
        begin);
  }

  /** Removes a component whose entries are now in the current version. */
  public void remove(MemoryComponent component) {
    replace(
        now -> {
          List<MemoryComponent> next = new ArrayList<>(now);
          next.removeIf(other -> other == component);
          return next;
        },
        () -> {});
  }

  /** Makes the current version visible to readers. */
  public void refresh() {
    replace(now -> now, () -> {});
  }

  /**
   * Replaces the read state. An exception before {@code begin} has run leaves everything unchanged.
   */
  private void replace(UnaryOperator<List<MemoryComponent>> change, Runnable begin) {
    ReadState old;
    lock.lock();
    try {
      List<MemoryComponent> named = List.copyOf(change.apply(memory));
      for (MemoryComponent component : named) {
        uses.computeIfAbsent(component, any -> new Uses());
      }
      PinnedVersion<Table> files = versions.pin();
      ReadState next;
      try {
        Runnable release = () -> release(named, files);
        next = new ReadState(named, files, counters, () -> background.accept(release));
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
          // A component that is still in the memory list was there when the read states were
          // closed. The next opening reads its log.
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

  /** Retires the last read state. No read state can be pinned any more. */
  public void close() {
    ReadState old;
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
