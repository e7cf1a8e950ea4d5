// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.background;

import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.read.ReadStates;
import io.github.rlsm.table.Table;
import io.github.rlsm.thread.Scheduler;
import io.github.rlsm.valuelog.ValueLog;
import io.github.rlsm.versionset.VersionSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Limits the number of mapped tables and value segments. Files are mapped at their first read. If
 * the process has too many mapped files, this class unmaps an eighth of this store's files, or the
 * excess if that is more. Files take turns, even recently read ones. Tracking recency would cost
 * every read, and a wrong choice costs only one open.
 *
 * <p>An evicted file is first made unreachable, so that the next reader maps it again. It is
 * unmapped once the version that was current at that time is no longer pinned (I-6). An open
 * snapshot delays this for the files that were mapped when it was taken.
 *
 * <p>Threads: any.
 */
final class MappedFiles {

  private static final int SHARE = 8;

  private final StoreDirectory directory;
  private final Scheduler scheduler;

  /** The files that may be evicted; null before {@link #start}. */
  private volatile @Nullable Files files;

  private final AtomicBoolean evicting = new AtomicBoolean();

  /** The number of evicted files that are still mapped. */
  private final AtomicLong leaving = new AtomicLong();

  private record Files(VersionSet<Table> versions, ValueLog values, ReadStates readStates) {}

  /** Creates a limit that has no effect before {@link #start}. */
  MappedFiles(StoreDirectory directory, Scheduler scheduler) {
    this.directory = directory;
    this.scheduler = scheduler;
  }

  /** Sets the files to evict, and the read states to refresh afterwards. */
  void start(VersionSet<Table> versions, ValueLog values, ReadStates readStates) {
    files = new Files(versions, values, readStates);
  }

  /** Called after a file was mapped. Starts an eviction if the process exceeds its limit. */
  void mapped() {
    Files all = files;
    if (all != null && excess() > 0 && evicting.compareAndSet(false, true)) {
      scheduler.delete(() -> evict(all));
    }
  }

  private void evict(Files all) {
    try {
      long openTables = all.versions.openTables();
      long openSegments = all.values.openSegments();
      long open = openTables + openSegments;
      long some = Math.min(open, Math.max(excess(), (open + SHARE - 1) / SHARE));
      int tables = (int) (some * openTables / Math.max(1, open));
      int segments = (int) (some - tables);
      all.versions.unmap(() -> {
        List<Runnable> unmaps = new ArrayList<>(all.versions.evict(tables));
        unmaps.addAll(all.values.evict(segments));
        leaving.addAndGet(unmaps.size());
        return unmaps.stream().map(this::counted).toList();
      });
      all.readStates.refresh();
    } catch (StoreClosedException e) {
      // Closing the store unmaps all files.
    } finally {
      evicting.set(false);
    }
  }

  /**
   * Returns the number of mapped files beyond the limit. Evicted files that wait to be unmapped do
   * not count.
   */
  private long excess() {
    return -(directory.mappingsLeft() + leaving.get());
  }

  private Runnable counted(Runnable unmap) {
    return () -> {
      leaving.decrementAndGet();
      unmap.run();
    };
  }
}
