// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.compact.DeadEntries;
import io.github.rlsm.compact.JobCancelledException;
import io.github.rlsm.compact.Levels;
import io.github.rlsm.compact.PlanJob;
import io.github.rlsm.compact.TableFactory;
import io.github.rlsm.level.Table;
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
  private final PolicySettings settings;
  private final Scheduler scheduler;
  private final Brake brake;
  private final Fatal fatal;
  private final Runnable whenInstalled;
  private final DeadEntries deadEntries = new DeadEntries();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition idle = lock.newCondition();
  private final List<Plan> running = new ArrayList<>(); // guarded by lock
  private int workers; // guarded by lock
  private boolean again; // guarded by lock: asked for while every worker was busy
  private volatile boolean closing;

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
      PolicySettings settings,
      Scheduler scheduler,
      Brake brake,
      Fatal fatal,
      Runnable whenInstalled) {
    this.versions = versions;
    this.views = views;
    this.components = components;
    this.tables = tables;
    this.settings = settings;
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
    try {
      boolean more = true;
      while (more && !closing && !fatal.isSet()) {
        more = doNext();
      }
    } catch (JobCancelledException e) {
      closing = true; // nobody else gives a job up
    } catch (RuntimeException | Error e) {
      fatal.set(e);
    } finally {
      leave();
    }
  }

  private void leave() {
    boolean restart;
    lock.lock();
    try {
      workers--;
      restart = again && !closing && !fatal.isSet();
      again = false;
      idle.signalAll();
    } finally {
      lock.unlock();
    }
    if (restart) {
      kick();
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
          () -> versions.install(new PlanJob(job.files, tables).run(job.plan)));
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
        Levels levels = new Levels(files, deadEntries);
        press(levels);
        Optional<Plan> plan =
            new BalancePlanner(levels, settings, levels).next(levels.shape(), running);
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

  private void press(Levels levels) {
    long debt = new CompactionDebt(settings).bytes(levels.shape());
    brake.set(new Pressure(components.sealedBytes(), levels.shape().l0().size(), debt));
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
