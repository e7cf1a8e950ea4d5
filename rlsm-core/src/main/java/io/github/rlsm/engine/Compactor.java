// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.compact.JobCancelledException;
import io.github.rlsm.compact.Levels;
import io.github.rlsm.compact.PartitionShapes;
import io.github.rlsm.compact.PlanJob;
import io.github.rlsm.compact.TableFactory;
import io.github.rlsm.level.Table;
import io.github.rlsm.log.ValueLog;
import io.github.rlsm.policy.BalancePlanner;
import io.github.rlsm.policy.CompactionDebt;
import io.github.rlsm.policy.Plan;
import io.github.rlsm.policy.PolicySettings;
import io.github.rlsm.policy.Pressure;
import io.github.rlsm.version.PinnedVersion;
import io.github.rlsm.version.VersionSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks the policies what to do next and does it, on as many threads as there are places.
 *
 * <p>Threads: any. Deciding and installing are done one at a time, the work between them is not.
 */
final class Compactor {

  private final VersionSet<Table> versions;
  private final Views views;
  private final Components components;
  private final TableFactory tables;
  private final ValueLog values;
  private final PolicySettings settings;
  private final LongSupplier tailSeqno;
  private final Scheduler scheduler;
  private final Brake brake;
  private final Fatal fatal;
  private final Runnable whenInstalled;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition idle = lock.newCondition();
  private final PartitionShapes shapes = new PartitionShapes(); // guarded by lock
  private final List<Plan> running = new ArrayList<>(); // guarded by lock
  private int workers; // guarded by lock
  private boolean again; // guarded by lock: asked for while every worker was busy
  private volatile boolean closing;

  /** End of the log when somebody said that nobody writes; negative if nobody ever has. */
  private volatile long idleSeqno = -1;

  /**
   * A compactor that does nothing before it is {@link #kick kicked}.
   *
   * @param whenInstalled called after each job
   */
  Compactor(
      VersionSet<Table> versions,
      Views views,
      Components components,
      TableFactory tables,
      ValueLog values,
      PolicySettings settings,
      LongSupplier tailSeqno,
      Scheduler scheduler,
      Brake brake,
      Fatal fatal,
      Runnable whenInstalled) {
    this.versions = versions;
    this.views = views;
    this.components = components;
    this.tables = tables;
    this.values = values;
    this.settings = settings;
    this.tailSeqno = tailSeqno;
    this.scheduler = scheduler;
    this.brake = brake;
    this.fatal = fatal;
    this.whenInstalled = whenInstalled;
  }

  /** Looks whether there is something to do. */
  void kick() {
    lock.lock();
    try {
      if (closing || workers >= settings.parallelism()) {
        again = true;
        return;
      }
      workers++;
    } finally {
      lock.unlock();
    }
    scheduler.compact(this::work);
  }

  private void work() {
    boolean more = false;
    try {
      more = goesOn() && doNext();
    } catch (JobCancelledException e) {
      closing = true; // nobody else gives a job up
    } catch (RuntimeException | Error e) {
      fatal.set(e);
    }
    if (more || !leave()) {
      // One job to a task: what came meanwhile, a drain or a piece of a collection, gets its turn.
      scheduler.compact(this::work);
    }
  }

  private boolean goesOn() {
    return !closing && !fatal.isSet();
  }

  /**
   * Ends a worker, unless somebody asked meanwhile for what all workers were too busy for: then the
   * worker goes on. One step, so that {@link #awaitIdle} never finds no worker and work asked for.
   */
  private boolean leave() {
    lock.lock();
    try {
      if (again && goesOn()) {
        again = false;
        return false;
      }
      workers--;
      idle.signalAll();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** One plan, from decision to installation. */
  private record Job(PinnedVersion<Table> files, Plan plan) {}

  private boolean doNext() {
    Job job = decide();
    if (job == null) {
      return false;
    }
    try {
      FlightRecorder.compaction(
          job.plan.getClass().getSimpleName(),
          job.plan.rewrittenBytes(),
          () -> versions.install(new PlanJob(job.files, tables, values).run(job.plan)));
    } finally {
      job.files.unpin();
      lock.lock();
      try {
        running.remove(job.plan);
      } finally {
        lock.unlock();
      }
    }
    views.refresh();
    whenInstalled.run();
    return true;
  }

  private @Nullable Job decide() {
    lock.lock();
    try {
      PinnedVersion<Table> files = versions.pin();
      boolean kept = false;
      try {
        Levels levels = new Levels(files, shapes);
        PolicySettings grown = settings.grownTo(levels.shape());
        press(levels, grown);
        Optional<Plan> plan = new BalancePlanner(
                levels, isIdle() ? grown.whenIdle() : grown, levels)
            .next(levels.shape(), running);
        if (plan.isEmpty()) {
          return null;
        }
        running.add(plan.get());
        kept = true;
        return new Job(files, plan.get());
      } finally {
        if (!kept) {
          files.unpin();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void press(Levels levels, PolicySettings grown) {
    long debt = new CompactionDebt(grown).bytes(levels.shape());
    brake.set(new Pressure(components.sealedBytes(), levels.shape().l0().size(), debt));
  }

  /**
   * Nobody has written behind that seqno: as long as nobody does, levels are tidied up further than
   * they are while every byte rewritten is one less for writers. A write ends that: jobs that run
   * then are finished, since what they have done would be done in vain, but none is begun.
   */
  void whenIdle(long seqno) {
    idleSeqno = seqno;
    kick();
  }

  private boolean isIdle() {
    long seqno = idleSeqno;
    return seqno >= 0 && seqno == tailSeqno.getAsLong();
  }

  /** Returns once nothing is left to do that nobody asks for anew. */
  void awaitIdle() {
    kick();
    lock.lock();
    try {
      while (workers > 0 && !closing && !fatal.isSet()) {
        idle.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Begins no further job. */
  void close() {
    closing = true;
    lock.lock();
    try {
      idle.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
