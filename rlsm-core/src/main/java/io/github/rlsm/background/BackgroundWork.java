// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.background;

import io.github.rlsm.background.BackgroundError.Activity;
import io.github.rlsm.base.CommitDependencies;
import io.github.rlsm.policy.CollectSettings;
import io.github.rlsm.policy.PolicySettings;
import io.github.rlsm.policy.StallPolicy;
import io.github.rlsm.thread.Environment;
import io.github.rlsm.thread.Scheduler;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * The background work of an open store: prepares generations, flushes, compacts and tidies up, and
 * retries what failed for a transient cause. This class decides when each kind of work is due, and
 * {@link Flusher} and {@link Compactor} do it.
 *
 * <p>Threads: any. All fields are constant after construction.
 */
public final class BackgroundWork {

  /**
   * When to work.
   *
   * @param policy when to compact, split, merge and clean
   * @param collect when to collect value segments
   * @param stall when to throttle writers
   * @param idleNanos time without writes after which the store counts as idle
   */
  public record Settings(
      PolicySettings policy, CollectSettings collect, StallPolicy.Limits stall, long idleNanos) {}

  private final StoreFiles files;
  private final StoreMemory memory;
  private final long idleNanos;
  private final Scheduler scheduler;
  private final BackgroundError errors;
  private final Compactor compactor;
  private final Flusher flusher;

  /**
   * Creates background work that has not started.
   *
   * @param dependencies the other stores with parts of cross-shard batches
   */
  public BackgroundWork(
      StoreFiles files,
      StoreMemory memory,
      CommitDependencies dependencies,
      Settings settings,
      Environment environment) {
    this.files = files;
    this.memory = memory;
    this.idleNanos = settings.idleNanos;
    this.scheduler = environment.scheduler();
    this.errors = files.errors();
    this.compactor = new Compactor(files, memory, settings, scheduler);
    files.whenDeleted(compactor::memoryFreed);
    this.flusher = new Flusher(files, memory, dependencies, compactor, environment.nanoClock());
  }

  /**
   * Starts to work.
   *
   * @param shrinkLog replaces the active segments by short ones; runs when the store becomes idle
   */
  public void start(Runnable shrinkLog) {
    registerRetries();
    compactor.retireEmptySegments();
    startPreparation();
    startFlush();
    compactor.kick();
    new IdleWatch(scheduler, idleNanos, memory::tailSeqno, seqno -> {
          // Data in memory stays there unless its log takes much space.
          shrinkLog.run();
          memory.whenIdle();
          compactor.whenIdle(seqno);
        })
        .start();
  }

  /** Registers how to retry work that failed for a transient cause. */
  private void registerRetries() {
    int segmentBytes = memory.settings().segmentBytes();
    errors.retry(Activity.FLUSH, this::startFlush, () -> files.hasRoom(flusher.neededBytes()));
    errors.retry(Activity.COMPACT, compactor::kick, () -> files.hasRoom(segmentBytes));
    errors.retry(Activity.COLLECT, compactor::retryCollection, () -> files.hasRoom(segmentBytes));
    errors.retry(Activity.PREPARE, this::startPreparation, () -> true);
    errors.retry(Activity.INSTALL, () -> scheduler.flush(files::repairManifest), () -> true);
    errors.retry(Activity.DELETE, () -> scheduler.delete(files::retryDeletions), () -> true);
  }

  // ----- events of the write path

  /** Called after a component was sealed. */
  public void sealed() {
    WriteThrottle throttle = compactor.throttle();
    throttle.written(memory.tailSeqno());
    if (throttle.pressure().garbage() > 0) {
      compactor.kick(); // do not wait for the flush of this component
    }
    startPreparation();
    startFlush();
  }

  /** Called once for each mebibyte of log. */
  public void filled() {
    compactor.throttle().unflushed(memory.backlog());
  }

  private void startPreparation() {
    scheduler.prepare(this::prepare);
  }

  /** Prepares the segments and arrays of the next component. */
  private void prepare() {
    if (errors.isSet() || errors.isWaiting(Activity.PREPARE)) {
      return;
    }
    try {
      memory.prepare();
      errors.worked(Activity.PREPARE);
    } catch (RuntimeException | Error e) {
      errors.report(e, Activity.PREPARE);
    }
  }

  /** Starts a flush of all sealed components. Does not wait. */
  void startFlush() {
    scheduler.flush(flusher::run);
  }

  /** Waits for flushes until a condition holds, see {@link Flusher#awaitUntil}. */
  public void awaitFlush(BooleanSupplier done) {
    flusher.awaitUntil(done);
  }

  /** Flushes all sealed components. Returns once all data below a seqno is in tables. */
  public void flushUpTo(long seqno) {
    startFlush();
    flusher.awaitUntil(() -> files.versions().current().flushedSeqno() >= seqno);
  }

  // ----- requests

  /** Looks for a job. Does not wait. */
  public void kick() {
    compactor.kick();
  }

  /**
   * Runs idle-time maintenance, deletes the files that it freed, and loads others into their
   * memory. Memory must be flushed.
   */
  public void settle(Runnable shrinkLog) {
    compactor.whenIdle(memory.tailSeqno());
    compactor.awaitIdle();
    AtomicBoolean released = new AtomicBoolean();
    scheduler.flush(() -> {
      shrinkLog.run();
      // Runs after the flush of the component that shrinkLog sealed.
      scheduler.flush(() -> {
        memory.trimAfterCleanup();
        // Runs after the deletions that are already queued.
        scheduler.delete(() -> {
          files.runDeletions();
          released.set(true);
          flusher.signal();
        });
      });
    });
    flusher.awaitUntil(released::get);
    compactor.awaitLoading();
  }

  /** Reclaims every value segment whose removal frees space. Memory must be flushed to a seqno. */
  public void collectAll(long seqno) {
    compactor.collectAll(seqno);
  }

  // ----- parts

  /** Returns the error state of the store. */
  public BackgroundError errors() {
    return errors;
  }

  /** Returns the bytes of values that flushes have copied to put them into key order. */
  public long sortedBytes() {
    return flusher.sortedBytes();
  }

  /** Returns the bytes of live values that were relocated. */
  public long collectedBytes() {
    return compactor.collectedBytes();
  }

  /** Returns the number of value segments that were retired. */
  public long freedSegments() {
    return compactor.freedSegments();
  }

  /** Returns the bytes of value segments freed so far, less the bytes written to free them. */
  public long netFreedBytes() {
    return compactor.netFreedBytes();
  }

  /** Returns the throttle of writers. */
  public WriteThrottle throttle() {
    return compactor.throttle();
  }

  // ----- closing

  /** Ends all waits for background work, so that close can wait for the running operations. */
  public void stopWaiting() {
    files.cancelJobs();
    flusher.stopWaiting();
    compactor.close();
  }

  /** Stops all work, and waits until none runs. */
  public void close() {
    flusher.close();
    scheduler.close();
  }

  /**
   * Detects that writes have stopped. Compares the end of the log at regular intervals, which costs
   * writers nothing. Calls the listener once if the end has not moved between two looks.
   *
   * <p>Threads: the flush thread only.
   */
  private static final class IdleWatch {

    private final Scheduler scheduler;
    private final long nanos;
    private final LongSupplier tail;
    private final LongConsumer whenIdle;
    private long seen;
    private boolean idle;

    /**
     * Creates a watch that has not started.
     *
     * @param nanos the interval between looks
     * @param tail returns the end of the log
     * @param whenIdle receives the end of the log when no write happened between two looks
     */
    IdleWatch(Scheduler scheduler, long nanos, LongSupplier tail, LongConsumer whenIdle) {
      this.scheduler = scheduler;
      this.nanos = nanos;
      this.tail = tail;
      this.whenIdle = whenIdle;
      this.seen = tail.getAsLong();
    }

    /** Starts the watch. It runs until the scheduler is closed. */
    void start() {
      scheduler.later(nanos, this::look);
    }

    private void look() {
      long now = tail.getAsLong();
      if (now != seen) {
        seen = now;
        idle = false;
      } else if (!idle) {
        idle = true;
        whenIdle.accept(now);
      }
      start();
    }
  }
}
