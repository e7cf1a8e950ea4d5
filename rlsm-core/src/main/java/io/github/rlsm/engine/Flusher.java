// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.compact.FlushJob;
import io.github.rlsm.compact.JobCancelledException;
import io.github.rlsm.compact.TableFactory;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.log.PublishedSeqno;
import io.github.rlsm.log.SegmentFiles;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.table.Table;
import io.github.rlsm.version.VersionEdit;
import io.github.rlsm.versionset.VersionSet;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Flushes sealed components, oldest first.
 *
 * <p>Threads: {@link #run} on the flush thread only.
 */
final class Flusher {

  private final ReadStates readStates;
  private final VersionSet<Table> versions;
  private final TableFactory tables;
  private final PublishedSeqno published;
  private final SegmentFiles segments;
  private final GenerationPool generationPool;
  private final DeferredCleanup cleanup;
  private final CommitDependencies dependencies;
  private final BackgroundError errors;
  private final int separationBytes;
  private final LongSupplier nanoClock;
  private final Runnable whenFlushed;
  private volatile boolean closing;

  /**
   * Creates a flusher.
   *
   * @param whenFlushed called after each component, and after a failure
   */
  Flusher(
      ReadStates readStates,
      VersionSet<Table> versions,
      TableFactory tables,
      PublishedSeqno published,
      SegmentFiles segments,
      GenerationPool generationPool,
      DeferredCleanup cleanup,
      CommitDependencies dependencies,
      BackgroundError errors,
      int separationBytes,
      LongSupplier nanoClock,
      Runnable whenFlushed) {
    this.readStates = readStates;
    this.versions = versions;
    this.tables = tables;
    this.published = published;
    this.segments = segments;
    this.generationPool = generationPool;
    this.cleanup = cleanup;
    this.dependencies = dependencies;
    this.errors = errors;
    this.separationBytes = separationBytes;
    this.nanoClock = nanoClock;
    this.whenFlushed = whenFlushed;
  }

  /** Flushes all sealed components. */
  void run() {
    try {
      MemoryComponent next = oldestSealed();
      while (next != null && goesOn()) {
        try {
          flush(next);
        } finally {
          MappedFaults.check();
        }
        errors.worked(Activity.FLUSH);
        whenFlushed.run();
        // Under steady writes this loop does not end, so later tasks of this thread would starve.
        cleanup.run();
        next = oldestSealed();
      }
      if (goesOn()) {
        generationPool.trim();
        errors.worked(Activity.FLUSH);
      }
    } catch (JobCancelledException e) {
      // The store is closing. The log holds all unflushed data.
      whenFlushed.run();
    } catch (RuntimeException | Error e) {
      errors.report(e, Activity.FLUSH);
      whenFlushed.run();
    }
  }

  /**
   * Whether a flush may start. A failed flush waits for its retry, even if other callers request a
   * flush before that.
   */
  private boolean goesOn() {
    return !closing && !errors.isSet() && !errors.isWaiting(Activity.FLUSH);
  }

  /** Returns the approximate size of the next table, 0 if no component waits for a flush. */
  long neededBytes() {
    MemoryComponent next = oldestSealed();
    return next == null ? 0 : next.log().usedBytes(false);
  }

  private @Nullable MemoryComponent oldestSealed() {
    List<MemoryComponent> all = readStates.memory();
    MemoryComponent oldest = all.get(all.size() - 1);
    return all.size() > 1 && oldest.log().isSealed() ? oldest : null;
  }

  private void flush(MemoryComponent component) {
    LogGeneration log = component.log();
    FlightRecorder.flush(log.number(), log.recordBytes(), () -> {
      // If an earlier flush failed after the installation of its table, only remove the component:
      // values of its log may already be deleted.
      if (versions.current().firstGeneration() <= log.number()) {
        installTable(component);
      }
      readStates.remove(component);
    });
  }

  private void installTable(MemoryComponent component) {
    LogGeneration log = component.log();
    published.awaitAtLeast(log.endSeqno());
    versions.repair(); // a broken manifest fails the flush before it writes a table
    FlushJob job = new FlushJob(
        component,
        tables,
        versions.current().keyspaces(),
        separationBytes,
        () -> segments.readAhead(log),
        nanoClock);
    VersionEdit edit = job.run();
    if (log.lastPart() > 0) {
      // A write in a table cannot be rolled back, so the parts in other stores must be durable
      // (I-11).
      dependencies.force(log.lastPart());
    }
    versions.install(edit);
  }

  /** Stops starting flushes. */
  void close() {
    closing = true;
  }
}
