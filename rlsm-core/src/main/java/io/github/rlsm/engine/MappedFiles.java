// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.level.Table;
import io.github.rlsm.log.ValueLog;
import io.github.rlsm.version.VersionSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds how many tables and value segments are mapped. They are mapped when they are first read.
 * When the process has more files mapped than it should, an eighth of this store's files, or the
 * excess if that is more, is unmapped. Files take turns, even if they were read lately. Recording
 * the use of files would cost each read, and a wrong guess costs one open.
 *
 * <p>A file is first taken out of the readers' reach, so that the next reader maps it again. It is
 * unmapped as soon as the version that was current then is no longer pinned (I-6). An open snapshot
 * delays that for the files that were mapped when it was taken.
 *
 * <p>Threads: any.
 */
final class MappedFiles {

  private static final int SHARE = 8;

  private final StoreDirectory directory;
  private final VersionSet<Table> versions;
  private final ValueLog values;
  private final Views views;
  private final Scheduler scheduler;
  private final AtomicBoolean evicting = new AtomicBoolean();

  /** Files out of reach that are still mapped. */
  private final AtomicLong leaving = new AtomicLong();

  MappedFiles(
      StoreDirectory directory,
      VersionSet<Table> versions,
      ValueLog values,
      Views views,
      Scheduler scheduler) {
    this.directory = directory;
    this.versions = versions;
    this.values = values;
    this.views = views;
    this.scheduler = scheduler;
  }

  /** Called when a file was mapped. Starts to unmap others if the process is beyond its limit. */
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
      views.refresh();
    } catch (StoreClosedException e) {
      // Closing the store unmaps all.
    } finally {
      evicting.set(false);
    }
  }

  /**
   * How many files are mapped beyond the limit. Evicted files that still wait to be unmapped do not
   * count.
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
