// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.background;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.rlsm.background.BackgroundError.Activity;
import io.github.rlsm.base.CommitDependencies;
import io.github.rlsm.base.Pause;
import io.github.rlsm.compact.FlushJob;
import io.github.rlsm.compact.TableFactory;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.policy.FlushPlanner;
import io.github.rlsm.table.Table;
import io.github.rlsm.valuelog.ValueLog;
import io.github.rlsm.version.VersionEdit;
import io.github.rlsm.versionset.VersionSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Flushes sealed components, oldest first, and lets other threads wait for flushes.
 *
 * <p>Threads: {@link #run} on the flush thread only; any for the rest.
 */
final class Flusher {

  private final StoreFiles files;
  private final StoreMemory memory;
  private final CommitDependencies dependencies;
  private final Compactor compactor;
  private final BackgroundError errors;
  private final LongSupplier nanoClock;

  private final LongAdder sortedBytes = new LongAdder();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  @GuardedBy("lock")
  private boolean closing;

  /** Whether no flush may start any more. */
  private volatile boolean over;

  /**
   * Creates a flusher.
   *
   * @param compactor told after each flush, and after a failure
   */
  Flusher(
      StoreFiles files,
      StoreMemory memory,
      CommitDependencies dependencies,
      Compactor compactor,
      LongSupplier nanoClock) {
    this.files = files;
    this.memory = memory;
    this.dependencies = dependencies;
    this.compactor = compactor;
    this.errors = files.errors();
    this.nanoClock = nanoClock;
  }

  // ----- flushing

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
        flushed();
        // Under steady writes this loop does not end, so later tasks of this thread would starve.
        memory.runCleanup();
        next = oldestSealed();
      }
      if (goesOn()) {
        memory.trim();
        errors.worked(Activity.FLUSH);
      }
    } catch (TableFactory.JobCancelledException e) {
      // The store is closing. The log holds all unflushed data.
      flushed();
    } catch (RuntimeException | Error e) {
      errors.report(e, Activity.FLUSH);
      flushed();
    }
  }

  /**
   * Whether a flush may start. A failed flush waits for its retry, even if other callers request a
   * flush before that.
   */
  private boolean goesOn() {
    return !over && !errors.isSet() && !errors.isWaiting(Activity.FLUSH);
  }

  private @Nullable MemoryComponent oldestSealed() {
    List<MemoryComponent> all = memory.readStates().memory();
    MemoryComponent oldest = all.get(all.size() - 1);
    return all.size() > 1 && oldest.log().isSealed() ? oldest : null;
  }

  private void flush(MemoryComponent component) {
    LogGeneration log = component.log();
    FlightRecorder.flush(log.number(), log.recordBytes(), () -> {
      // If an earlier flush failed after the installation of its table, only remove the component:
      // values of its log may already be deleted.
      if (files.versions().current().firstGeneration() <= log.number()) {
        installTable(component);
      }
      memory.readStates().remove(component);
    });
  }

  private void installTable(MemoryComponent component) {
    LogGeneration log = component.log();
    VersionSet<Table> versions = files.versions();
    memory.published().awaitAtLeast(log.endSeqno());
    versions.repair(); // a broken manifest fails the flush before it writes a table
    FlushJob job = new FlushJob(
        component,
        files.tables(),
        versions.current().keyspaces(),
        largeValues(log),
        () -> memory.segments().readAhead(log),
        nanoClock);
    VersionEdit edit = job.run();
    if (log.lastPart() > 0) {
      // A write in a table cannot be rolled back, so the parts in other stores must be durable
      // (I-11).
      dependencies.force(log.lastPart());
    }
    versions.install(edit);
    boolean valuesStay = log.hasValues() && job.sortedBytes() == 0;
    memory
        .segments()
        .useLargePages(FlushPlanner.mayUseLargePages(
            compactor.liveValueBytes(), files.memoryBytes(), valuesStay));
    if (job.sortedBytes() > 0) {
      sortedBytes.add(job.sortedBytes());
      files.values().free(ValueLog.numberOf(log));
    }
  }

  /** Returns the bytes of values that flushes have copied to put them into key order. */
  long sortedBytes() {
    return sortedBytes.sum();
  }

  private FlushJob.LargeValues largeValues(LogGeneration log) {
    boolean mayBeSorted = FlushPlanner.mayBeWorthSorting(
        compactor.liveValueBytes(), files.memoryBytes(), memory.segments().expectsForces());
    return new FlushJob.LargeValues(
        memory.settings().separationBytes(),
        files.values(),
        mayBeSorted ? Optional.of(() -> memory.segments().beginSorted(log)) : Optional.empty());
  }

  private void flushed() {
    signal();
    compactor.flushed();
  }

  /** Returns the approximate size of the next table, 0 if no component waits for a flush. */
  long neededBytes() {
    MemoryComponent next = oldestSealed();
    return next == null ? 0 : next.log().usedBytes(false);
  }

  // ----- waiting for flushes

  /**
   * Waits for a condition.
   *
   * @param done evaluated again after every flush, and after every {@link #signal}
   * @throws io.github.rlsm.kv.StoreFailedException if the store is read-only, so no flush will
   *     follow
   * @throws io.github.rlsm.kv.ResourceExhaustedException if the flush failed and waits for its
   *     retry
   * @throws StoreClosedException if the store is closing
   */
  void awaitUntil(BooleanSupplier done) {
    lock.lock();
    try {
      while (!done.getAsBoolean()) {
        if (closing) {
          throw new StoreClosedException("store");
        }
        errors.check();
        errors.checkNotWaiting(Activity.FLUSH, "wait for the flush that makes room in memory");
        Pause.untilSignal(changed, BackgroundError.LOOK_NANOS);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Wakes all waiting threads. */
  void signal() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Makes all current and later waits fail. */
  void stopWaiting() {
    lock.lock();
    try {
      closing = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Stops starting flushes. */
  void close() {
    over = true;
  }
}
