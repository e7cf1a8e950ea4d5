// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.background.BackgroundError;
import io.github.rlsm.background.BackgroundError.Activity;
import io.github.rlsm.background.BackgroundWork;
import io.github.rlsm.background.FlightRecorder;
import io.github.rlsm.background.StoreMemory;
import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.log.SegmentFiles;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.read.ReadState;
import io.github.rlsm.versionset.PinCount;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The generation that accepts writes, and the switch to the next one.
 *
 * <p>Threads: any. A switch takes the lock {@code switching}; reading the active component takes
 * none.
 */
final class ActiveGeneration {

  /** The bytes of records from which an idle store flushes its memory. */
  private static final int IDLE_BYTES_MAX = 64 << 10;

  private final StoreMemory memory;
  private final SegmentFiles segments;
  private final int sealedMax;
  private final BackgroundWork background;
  private final BackgroundError errors;
  private final LongSupplier nanoClock;

  private final ReentrantLock switching = new ReentrantLock();

  /** The component for new writes. Written under {@link #switching}, once a read state has it. */
  private volatile MemoryComponent front;

  ActiveGeneration(StoreMemory memory, BackgroundWork background, LongSupplier nanoClock) {
    this.memory = memory;
    this.segments = memory.segments();
    this.sealedMax = memory.settings().sealedMax();
    this.background = background;
    this.errors = background.errors();
    this.nanoClock = nanoClock;
    this.front = memory.begin();
  }

  /** Returns the active component. */
  MemoryComponent front() {
    return front;
  }

  /** Returns the end of the log: the seqno after the last reserved record. */
  long tailSeqno() {
    return front.log().endSeqno();
  }

  /** Seals the active component, unless it is empty, and switches to a new generation. */
  void seal() {
    MemoryComponent now = front;
    if (now.log().endSeqno() > now.log().baseSeqno()) {
      switchFrom(now, 0, 0, 0);
    }
  }

  /** Prepares the log for forces. Segments in large pages are replaced. */
  void forcesBegin() {
    MemoryComponent now;
    boolean isLarge;
    // Without the pin, another thread's flush could close the segments meanwhile.
    int stripe = PinCount.stripe();
    ReadState pinned = memory.readStates().pin(stripe);
    try {
      now = pinned.active();
      isLarge = now.log().leaveLargePages();
    } finally {
      pinned.unpin(stripe);
    }
    if (!isLarge) {
      background.sealed(); // prepare the next segment
      return;
    }
    try {
      switchFrom(now, 0, 0, 0);
    } catch (RuntimeException | Error e) {
      // After a transient error the segment stays in use, and forces are slow until it is full.
      errors.report(e, Activity.PREPARE);
    }
  }

  /** Replaces long segments by short ones, because the store is idle. */
  void shrinkLog() {
    try {
      segments.calm();
      sealIfRoomy();
    } catch (RuntimeException | Error e) {
      // After a transient error the long segment stays in use: there is no room for a shorter one.
      errors.report(e, Activity.PREPARE);
    }
  }

  /**
   * Switches to a new generation if the active log files are long, even if they are empty. Also
   * switches if they hold so much that a flush probably frees more space than it costs. Does
   * nothing while a sealed component waits for its flush or another thread switches. Never blocks
   * on another thread.
   */
  private void sealIfRoomy() {
    if (switching.tryLock()) {
      try {
        LogGeneration log = front.log();
        boolean isMuch = SegmentFiles.isRoomy(log) || log.recordBytes() >= IDLE_BYTES_MAX;
        if (memory.sealedCount() == 0 && isMuch) {
          switchFrom(front, 0, 0, 0);
        }
      } finally {
        switching.unlock();
      }
    }
  }

  /**
   * Replaces a full generation by a new one, unless another writer already did.
   *
   * @param walBytes minimum size of the new write-ahead segment
   * @param valueBytes minimum size of the new value segment
   * @param entries minimum number of entries in the new component
   */
  void switchFrom(MemoryComponent full, long walBytes, long valueBytes, int entries) {
    switching.lock();
    try {
      if (front != full) {
        return;
      }
      if (memory.sealedCount() >= sealedMax) {
        background.sealed(); // the flush to wait for may not have been started
        awaitFlush();
      }
      errors.check();
      boolean isFull = walBytes > 0 || valueBytes > 0;
      boolean wasCalm = isFull && segments.endCalm();
      prepareSegments(walBytes, valueBytes);
      front = next(full.log(), segments.take(walBytes, valueBytes), entries);
      if (isFull && !wasCalm) {
        segments.grow(valueBytes > 0);
      }
    } catch (RuntimeException | Error e) {
      if (segments.hasFailed() || (full.log().isSealed() && front == full)) {
        errors.set(e);
      }
      throw e;
    } finally {
      switching.unlock();
    }
    background.sealed();
  }

  /** Blocks the writer until fewer sealed components wait for their flush. */
  private void awaitFlush() {
    long began = nanoClock.getAsLong();
    FlightRecorder.stall(
        "too many memory components wait for a flush",
        () -> background.awaitFlush(() -> memory.sealedCount() < sealedMax));
    background.throttle().countStall(nanoClock.getAsLong() - began);
  }

  private void prepareSegments(long walBytes, long valueBytes) {
    try {
      segments.prepare(walBytes, valueBytes);
      errors.worked(Activity.PREPARE);
    } catch (RuntimeException | Error e) {
      errors.report(e, Activity.PREPARE);
      throw e;
    }
  }

  /**
   * Seals a generation and publishes the component of the next one. All steps that can fail come
   * before the seal, so a full disk or a lack of memory fails one write and no other.
   */
  private MemoryComponent next(LogGeneration full, LogGeneration next, int entries) {
    try {
      MemoryComponent component = memory.make(next, entries);
      memory.show(component, () -> {
        full.seal();
        next.begin(full.endSeqno());
      });
      return component;
    } catch (RuntimeException | Error e) {
      if (!full.isSealed()) {
        memory.drop(next);
        segments.giveBack(next);
      }
      throw e;
    }
  }
}
