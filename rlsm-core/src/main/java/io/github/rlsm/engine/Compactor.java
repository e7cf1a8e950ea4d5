// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.compact.JobCancelledException;
import io.github.rlsm.compact.Levels;
import io.github.rlsm.compact.PartitionShapes;
import io.github.rlsm.compact.PlanJob;
import io.github.rlsm.compact.TableFactory;
import io.github.rlsm.compact.UnreadableValueException;
import io.github.rlsm.compact.ValuePlaces;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.KvException;
import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.level.Table;
import io.github.rlsm.policy.BalancePlanner;
import io.github.rlsm.policy.CleanPlan;
import io.github.rlsm.policy.CollectPlanner;
import io.github.rlsm.policy.CollectSettings;
import io.github.rlsm.policy.CompactionDebt;
import io.github.rlsm.policy.GarbageRoom;
import io.github.rlsm.policy.LevelShape;
import io.github.rlsm.policy.Plan;
import io.github.rlsm.policy.PolicySettings;
import io.github.rlsm.policy.Pressure;
import io.github.rlsm.policy.ValueUse;
import io.github.rlsm.version.PinnedVersion;
import io.github.rlsm.version.Version;
import io.github.rlsm.version.VersionEdit;
import io.github.rlsm.version.VersionSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks the policies for the next job and runs it, on as many threads as there are places.
 *
 * <p>Threads: any. One thread at a time decides or installs; the work in between runs in parallel.
 * A decision may read keys from disk and wait for the manifest, so {@link #kick}, which writers and
 * readers call, takes no lock.
 */
final class Compactor {

  private final VersionSet<Table> versions;
  private final Views views;
  private final Components components;
  private final TableFactory tables;
  private final ValuePlaces places;
  private final SpaceSurvey survey;
  private final PolicySettings settings;
  private final CollectSettings collect;
  private final LongSupplier tailSeqno;
  private final Scheduler scheduler;
  private final Brake brake;
  private final BackgroundError errors;
  private final Counters counters;
  private final Runnable whenInstalled;

  private final ReentrantLock lock = new ReentrantLock();
  private final Runnable worker = this::work;

  /**
   * For threads that wait; held for moments only. A thread that needs both locks takes
   * {@link #lock} first.
   */
  private final ReentrantLock waiting = new ReentrantLock();

  private final Condition idle = waiting.newCondition();
  private final PartitionShapes shapes = new PartitionShapes(); // guarded by lock
  private final List<Plan> running = new ArrayList<>(); // guarded by lock

  /**
   * Twice the number of workers, plus 1 if a thread asked for work while all workers were busy.
   * Both are in one number, so that a thread cannot miss the worker and the request together.
   */
  private final AtomicInteger workers = new AtomicInteger();

  /** The error that ended the last collection. Written under lock, or by a flush. */
  private volatile @Nullable ResourceExhaustedException noRoom;

  private int asked; // guarded by lock: callers that wait for segments to be freed
  private int askedBelow; // guarded by lock: they mean segments with smaller numbers
  private long askedSeqno; // guarded by lock: and what was written below that
  private volatile boolean askedIsDone; // written under lock
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
      ValuePlaces places,
      SpaceSurvey survey,
      EngineSettings settings,
      LongSupplier tailSeqno,
      Scheduler scheduler,
      Brake brake,
      BackgroundError errors,
      Counters counters,
      Runnable whenInstalled) {
    this.versions = versions;
    this.views = views;
    this.components = components;
    this.tables = tables;
    this.places = places;
    this.survey = survey;
    this.settings = settings.policy();
    this.collect = settings.collect();
    this.tailSeqno = tailSeqno;
    this.scheduler = scheduler;
    this.brake = brake;
    this.errors = errors;
    this.counters = counters;
    this.whenInstalled = whenInstalled;
    errors.whenChanged(this::signal);
  }

  private void signal() {
    waiting.lock();
    try {
      idle.signalAll();
    } finally {
      waiting.unlock();
    }
  }

  /**
   * As {@link #kick}, when there may be room again for a collection that had none: after a flush,
   * and after a while.
   */
  void retryCollection() {
    noRoom = null;
    kick();
  }

  /** Has a worker look whether there is something to do. Waits for nothing. */
  void kick() {
    while (true) {
      int now = workers.get();
      boolean starts = goesOn() && now >> 1 < settings.parallelism();
      if (workers.compareAndSet(now, starts ? now + 2 : now | 1)) {
        if (starts) {
          start();
        }
        return;
      }
    }
  }

  /** Hands a worker that is counted to the scheduler. */
  private void start() {
    try {
      scheduler.compact(worker);
    } catch (RuntimeException | Error e) {
      workers.addAndGet(-2); // no memory for the task; the next kick tries again
      signal();
      throw e;
    }
  }

  private void work() {
    boolean more = false;
    try {
      more = goesOn() && doNext();
    } catch (JobCancelledException e) {
      closing = true; // no other thread gives a job up
    } catch (RuntimeException | Error e) {
      errors.report(e, Activity.COMPACT);
    }
    if (more || !leave()) {
      // One job to a task: what came meanwhile, a drain or a piece of a collection, gets its turn.
      start();
    }
  }

  private boolean goesOn() {
    return !closing && !errors.isSet() && !errors.isWaiting(Activity.COMPACT);
  }

  /**
   * Ends a worker, unless somebody asked meanwhile for what all workers were too busy for: then the
   * worker goes on. One step, so that {@link #awaitIdle} never finds no worker and work asked for.
   */
  private boolean leave() {
    while (true) {
      int now = workers.get();
      boolean stays = (now & 1) != 0 && goesOn();
      if (workers.compareAndSet(now, stays ? now - 1 : now - 2)) {
        if (!stays) {
          signal();
        }
        return !stays;
      }
    }
  }

  private boolean isWorking() {
    return workers.get() >> 1 > 0;
  }

  /** One plan, from decision to installation. */
  private record Job(PinnedVersion<Table> files, Plan plan) {}

  private boolean doNext() {
    Job job = decide();
    if (job == null) {
      errors.worked(Activity.COMPACT);
      if (noRoom == null) {
        errors.worked(Activity.COLLECT); // there is nothing to collect
      }
      return isPartlyUnknown();
    }
    boolean collects = job.plan instanceof CleanPlan clean && !clean.segments().isEmpty();
    try {
      FlightRecorder.compaction(name(job.plan), job.plan.rewrittenBytes(), () -> run(job));
      errors.worked(Activity.COMPACT);
      if (collects) {
        errors.worked(Activity.COLLECT);
      }
    } catch (ResourceExhaustedException e) {
      if (!collects) {
        throw e;
      }
      holdBack(e);
    } catch (UnreadableValueException e) {
      survey.damaged(e.segment(), e.damage());
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

  /** Whether something may be due that the last decision had not looked at. */
  private boolean isPartlyUnknown() {
    lock.lock();
    try {
      return !shapes.isComplete();
    } finally {
      lock.unlock();
    }
  }

  private static String name(Plan plan) {
    String name = plan.getClass().getSimpleName();
    return plan instanceof CleanPlan clean ? name + " " + clean.reason() : name;
  }

  private long run(Job job) {
    try {
      return move(job);
    } finally {
      MappedFaults.check();
    }
  }

  private long move(Job job) {
    versions.repair(); // else tables would be written for nothing
    PlanJob work = new PlanJob(job.files, tables, places);
    Function<Version, VersionEdit> edit = work.run(job.plan);
    places.log().holes().promise(work.holes().bytes());
    versions.install(edit, work.holes().ranges());
    counters.collectedBytes.add(work.movedBytes());
    return work.movedBytes();
  }

  /** There is no room to move values to; other work may free some. */
  private void holdBack(ResourceExhaustedException reason) {
    lock.lock();
    try {
      noRoom = reason;
    } finally {
      lock.unlock();
    }
    errors.report(reason, Activity.COLLECT);
  }

  private @Nullable Job decide() {
    lock.lock();
    try {
      PinnedVersion<Table> files = versions.pin();
      boolean kept = false;
      try {
        Levels levels = new Levels(files, shapes);
        PolicySettings grown = settings.grownTo(levels.shape());
        CollectPlanner collects = collects(files, levels.shape());
        press(levels, grown, collects);
        boolean tidies = isIdle() || (asked > 0 && !askedIsDone);
        Optional<Plan> plan = new BalancePlanner(
                levels,
                tidies
                    ? grown.whenIdle()
                    : collects.waitsForL0() ? grown.whenL0IsInTheWay() : grown,
                levels,
                Optional.of(collects).filter(all -> noRoom == null))
            .next(levels.shape(), running);
        MappedFaults.check(); // keys were sampled
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

  /** What frees segments: first those that somebody asked for, to whom the usual limit is none. */
  private CollectPlanner collects(PinnedVersion<Table> files, LevelShape shape) {
    if (asked > 0) {
      CollectPlanner all = planner(collect.whenAsked(), survey.use(files, shape.l1(), askedBelow));
      boolean isDue = all.isDue();
      askedIsDone = !isDue
          && shapes.isComplete()
          && shape.l0().stream().noneMatch(run -> run.minSeqno() < askedSeqno);
      if (askedIsDone) {
        signal();
      }
      if (isDue) {
        return all;
      }
    }
    return planner(collect, survey.use(files, shape.l1(), Integer.MAX_VALUE));
  }

  private CollectPlanner planner(CollectSettings limits, ValueUse use) {
    return new CollectPlanner(limits, settings.deadFractionMax(), use);
  }

  private void press(Levels levels, PolicySettings grown, CollectPlanner collects) {
    long debt = new CompactionDebt(grown).bytes(levels.shape());
    int l0Runs = levels.shape().l0().size();
    GarbageRoom room =
        asked > 0 || noRoom != null ? GarbageRoom.ANY : collects.room(levels.shape());
    brake.set(new Pressure(components.backlog(), l0Runs, debt), room, tailSeqno.getAsLong());
  }

  /**
   * Frees every value segment that gives space back, of those there are, and returns when that is
   * done. What is in memory is not asked for.
   *
   * @throws ResourceExhaustedException if there is no room to move values to
   * @throws CorruptionException if values in some segment cannot be read, after all others were
   *     freed
   */
  void collectAll(long seqno) {
    lock.lock();
    try {
      asked++;
      askedIsDone = false;
      askedSeqno = Math.max(askedSeqno, seqno);
      askedBelow = Math.max(askedBelow, versions.current().nextSegmentNumber());
      noRoom = null;
    } finally {
      lock.unlock();
    }
    try {
      kick();
      await(() -> askedIsDone);
    } finally {
      lock.lock();
      try {
        asked--;
      } finally {
        lock.unlock();
      }
    }
    ResourceExhaustedException full = noRoom;
    if (full != null) {
      throw full;
    }
    errors.checkNotWaiting(Activity.COMPACT, "wait for compaction");
    Optional<KvException> damage = survey.damage();
    if (damage.isPresent()) {
      throw damage.get();
    }
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

  /** Waits until no work is left. Work that other threads request during the wait extends it. */
  void awaitIdle() {
    kick();
    await(() -> false);
    errors.checkNotWaiting(Activity.COMPACT, "wait for compaction");
  }

  /** Returns once something is so, or no worker will bring it about. */
  private void await(BooleanSupplier done) {
    waiting.lock();
    try {
      while (isWorking() && !done.getAsBoolean() && !closing && !errors.isSet()) {
        idle.awaitUninterruptibly();
      }
    } finally {
      waiting.unlock();
    }
  }

  /** Begins no further job. */
  void close() {
    closing = true;
    signal();
  }
}
