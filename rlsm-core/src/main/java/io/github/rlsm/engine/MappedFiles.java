// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.table.Table;
import io.github.rlsm.thread.Scheduler;
import io.github.rlsm.valuelog.ValueLog;
import io.github.rlsm.versionset.VersionSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

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
  private final VersionSet<Table> versions;
  private final ValueLog values;
  private final ReadStates readStates;
  private final Scheduler scheduler;
  private final AtomicBoolean evicting = new AtomicBoolean();

  /** The number of evicted files that are still mapped. */
  private final AtomicLong leaving = new AtomicLong();

  MappedFiles(
      StoreDirectory directory,
      VersionSet<Table> versions,
      ValueLog values,
      ReadStates readStates,
      Scheduler scheduler) {
    this.directory = directory;
    this.versions = versions;
    this.values = values;
    this.readStates = readStates;
    this.scheduler = scheduler;
  }

  /** Called after a file was mapped. Starts an eviction if the process exceeds its limit. */
  void mapped() {
    if (excess() > 0 && evicting.compareAndSet(false, true)) {
      scheduler.delete(this::evict);
    }
  }

  private void evict() {
    try {
      long openTables = versions.openTables();
      long openSegments = values.openSegments();
      long open = openTables + openSegments;
      long some = Math.min(open, Math.max(excess(), (open + SHARE - 1) / SHARE));
      int tables = (int) (some * openTables / Math.max(1, open));
      int segments = (int) (some - tables);
      versions.unmap(() -> {
        List<Runnable> unmaps = new ArrayList<>(versions.evict(tables));
        unmaps.addAll(values.evict(segments));
        leaving.addAndGet(unmaps.size());
        return unmaps.stream().map(this::counted).toList();
      });
      readStates.refresh();
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
