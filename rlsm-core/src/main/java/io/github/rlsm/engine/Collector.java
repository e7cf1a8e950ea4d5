// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.DiskFullException;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.level.Table;
import io.github.rlsm.version.VersionSet;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Has value segments collected, one at a time and in small pieces, each a task of the compacting
 * threads. It gives way to writers: as long as components queue up for their flush it rests, and
 * the flush wakes it up.
 *
 * <p>ARCHITECTURE.md, "Collecting", says why this loses nothing and brings nothing back.
 *
 * <p>Threads: any may ask; only one task runs at a time.
 */
final class Collector {

  /** Components that may wait for their flush while values are moved. */
  private static final int SEALED_MAX = 1;

  private final VersionSet<Table> versions;
  private final Components components;
  private final LeavingSegments leaving;
  private final CollectTask task;
  private final Runnable seal;
  private final Scheduler scheduler;
  private final Fatal fatal;
  private final Counters counters;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean running; // guarded by lock
  private boolean again; // guarded by lock: asked for while the task was running
  private boolean resting; // guarded by lock: there is work, but a flush has to come first
  private int asked; // guarded by lock: callers that wait for all to be collected
  private int askedBelow; // guarded by lock: they mean segments with smaller numbers
  private long removals; // guarded by lock
  private @Nullable RuntimeException givenUp; // guarded by lock: why the last round ended early
  private Optional<CorruptionException> damage = Optional.empty(); // guarded by lock
  private volatile boolean closing;

  /**
   * A collector that does nothing before it is {@link #kick kicked}.
   *
   * @param seal has what was written so far flushed
   */
  Collector(
      VersionSet<Table> versions,
      Components components,
      LeavingSegments leaving,
      CollectTask task,
      Runnable seal,
      Scheduler scheduler,
      Fatal fatal,
      Counters counters) {
    this.versions = versions;
    this.components = components;
    this.leaving = leaving;
    this.task = task;
    this.seal = seal;
    this.scheduler = scheduler;
    this.fatal = fatal;
    this.counters = counters;
    fatal.whenSet(this::signal);
  }

  private void signal() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Looks whether there is something to do. */
  void kick() {
    lock.lock();
    try {
      if (closing || running) {
        again = true;
        return;
      }
      running = true;
      again = false;
      resting = false;
      givenUp = null;
    } finally {
      lock.unlock();
    }
    scheduler.compact(this::work);
  }

  private void work() {
    boolean more = false;
    try {
      more = !closing && !fatal.isSet() && step();
    } catch (DiskFullException e) {
      giveUp(e); // there may be room again when the next flush asks
    } catch (StoreClosedException | StoreFailedException e) {
      giveUp(e);
    } catch (RuntimeException | Error e) {
      fatal.set(e);
    }
    if (more) {
      scheduler.compact(this::work);
    } else {
      rest();
    }
  }

  private void giveUp(RuntimeException reason) {
    task.giveUp();
    lock.lock();
    try {
      givenUp = reason;
    } finally {
      lock.unlock();
    }
  }

  private void rest() {
    boolean restart;
    lock.lock();
    try {
      running = false;
      restart = again && !closing && !fatal.isSet();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (restart) {
      kick();
    }
  }

  /** Does a piece of work. Returns whether the next piece can be done at once. */
  private boolean step() {
    letGo();
    if (!hasRoom()) {
      setResting();
      return false;
    }
    if (task.step(askedBelow(), this::hasRoom)) {
      return true;
    }
    if (!leaving.isEmpty() && components.sealedCount() == 0) {
      seal.run(); // nobody may ever fill the generation that holds what was moved
    }
    return false;
  }

  private void letGo() {
    int gone = leaving.letGo();
    lock.lock();
    try {
      removals += gone;
      damage = task.damage();
    } finally {
      lock.unlock();
    }
  }

  private void setResting() {
    lock.lock();
    try {
      resting = true;
    } finally {
      lock.unlock();
    }
  }

  /** Whether writers can do without what moving a value takes. */
  private boolean hasRoom() {
    return !closing && components.sealedCount() <= SEALED_MAX;
  }

  private int askedBelow() {
    lock.lock();
    try {
      return asked > 0 ? askedBelow : 0;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Collects all that gives space back, and returns once it is free.
   *
   * @throws CorruptionException if a segment could not be collected, after all others were
   */
  void collectAll() {
    ask(1);
    try {
      awaitIdle();
    } finally {
      ask(-1);
    }
    lock.lock();
    try {
      if (damage.isPresent()) {
        throw damage.get();
      }
    } finally {
      lock.unlock();
    }
  }

  private void ask(int callers) {
    lock.lock();
    try {
      asked += callers;
      askedBelow = Math.max(askedBelow, versions.current().nextSegmentNumber());
    } finally {
      lock.unlock();
    }
  }

  /** Bytes freed so far, less those that were written for it. */
  long netBytes() {
    return counters.freedBytes.sum() - counters.collectedBytes.sum();
  }

  /**
   * Returns once nothing is left to collect, and what was collected is free.
   *
   * @return whether segments were let go
   * @throws RuntimeException if a round could not be done, for want of room
   */
  boolean awaitIdle() {
    long before = removals();
    kick();
    lock.lock();
    try {
      while (!closing && !fatal.isSet() && isBusy()) {
        changed.awaitUninterruptibly();
      }
      if (givenUp != null && !closing && !fatal.isSet()) {
        throw givenUp;
      }
      return removals > before;
    } finally {
      lock.unlock();
    }
  }

  private long removals() {
    lock.lock();
    try {
      return removals;
    } finally {
      lock.unlock();
    }
  }

  /** Whether there is more to come; under the lock. */
  private boolean isBusy() {
    return running || (givenUp == null && (resting || !leaving.isEmpty()));
  }

  /** Begins no further piece. */
  void close() {
    closing = true;
    signal();
  }
}
