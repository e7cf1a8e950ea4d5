// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.compact.CompactionJob;
import io.github.rlsm.compact.JobCancelledException;
import io.github.rlsm.compact.Levels;
import io.github.rlsm.compact.PartitionShapes;
import io.github.rlsm.compact.TableFactory;
import io.github.rlsm.compact.UnreadableValueException;
import io.github.rlsm.compact.ValuePlaces;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.KvException;
import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.policy.CollectPlanner;
import io.github.rlsm.policy.CollectSettings;
import io.github.rlsm.policy.CompactionPicker;
import io.github.rlsm.policy.LevelShape;
import io.github.rlsm.policy.Plan;
import io.github.rlsm.policy.PolicySettings;
import io.github.rlsm.policy.StallPolicy.Pressure;
import io.github.rlsm.policy.StallPolicy.SpaceAmplificationBudget;
import io.github.rlsm.policy.ValueUse;
import io.github.rlsm.table.Table;
import io.github.rlsm.thread.Scheduler;
import io.github.rlsm.version.Version;
import io.github.rlsm.version.VersionEdit;
import io.github.rlsm.versionset.PinnedVersion;
import io.github.rlsm.versionset.VersionSet;
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
 * Runs background jobs: asks the policies for the next one and runs it, on several threads in
 * parallel.
 *
 * <p>Threads: any. Only one thread at a time decides on a job or installs a result; the work in
 * between runs in parallel. A decision may read keys from disk and wait for the manifest, so
 * {@link #kick}, which writers and readers call, takes no lock.
 */
final class Compactor {

  private final VersionSet<Table> versions;
  private final ReadStates readStates;
  private final Components components;
  private final TableFactory tables;
  private final ValuePlaces places;
  private final SpaceSurvey survey;
  private final PolicySettings settings;
  private final CollectSettings collect;
  private final LongSupplier tailSeqno;
  private final Scheduler scheduler;
  private final WriteThrottle throttle;
  private final BackgroundError errors;
  private final Counters counters;
  private final Runnable whenInstalled;

  private final ReentrantLock lock = new ReentrantLock();
  private final Runnable worker = this::work;

  /**
   * Guards waiting threads; held only briefly. A thread that needs both locks takes {@link #lock}
   * first.
   */
  private final ReentrantLock waiting = new ReentrantLock();

  private final Condition idle = waiting.newCondition();
  private final PartitionShapes shapes = new PartitionShapes(); // guarded by lock
  private final List<Plan> running = new ArrayList<>(); // guarded by lock

  /**
   * Twice the number of workers, plus 1 if a thread requested work while all workers were busy.
   * Both are in one number, so that a thread cannot miss the worker and the request together.
   */
  private final AtomicInteger workers = new AtomicInteger();

  /** The error that ended the last collection. Written under lock, or by a flush. */
  private volatile @Nullable ResourceExhaustedException noRoom;

  private int asked; // guarded by lock: the number of callers waiting in collectAll
  private int askedBelow; // guarded by lock: collectAll covers segments with smaller numbers
  private long askedSeqno; // guarded by lock: collectAll covers writes with smaller seqnos
  private volatile boolean askedIsDone; // written under lock
  private volatile boolean closing;

  /** The end of the log when the store last became idle; negative if it never was. */
  private volatile long idleSeqno = -1;

  /**
   * Creates a compactor that is idle until the first {@link #kick}.
   *
   * @param whenInstalled called after each job
   */
  Compactor(
      VersionSet<Table> versions,
      ReadStates readStates,
      Components components,
      TableFactory tables,
      ValuePlaces places,
      SpaceSurvey survey,
      EngineSettings settings,
      LongSupplier tailSeqno,
      Scheduler scheduler,
      WriteThrottle throttle,
      BackgroundError errors,
      Counters counters,
      Runnable whenInstalled) {
    this.versions = versions;
    this.readStates = readStates;
    this.components = components;
    this.tables = tables;
    this.places = places;
    this.survey = survey;
    this.settings = settings.policy();
    this.collect = settings.collect();
    this.tailSeqno = tailSeqno;
    this.scheduler = scheduler;
    this.throttle = throttle;
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
   * Clears the mark of a collection that found no room, and kicks. Called after a flush and by a
   * timer, when there may be room again.
   */
  void retryCollection() {
    noRoom = null;
    kick();
  }

  /** Starts a worker that looks for a job. Does not wait. */
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

  /** Hands an already counted worker to the scheduler. */
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
      closing = true; // a job is cancelled only when the store closes
    } catch (RuntimeException | Error e) {
      errors.report(e, Activity.COMPACT);
    }
    if (more || !leave()) {
      // Each task runs one job, so that drains and pieces of a collection that were queued get
      // their turn.
      start();
    }
  }

  private boolean goesOn() {
    return !closing && !errors.isSet() && !errors.isWaiting(Activity.COMPACT);
  }

  /**
   * Ends a worker, unless a thread requested work while all workers were busy; then the worker
   * continues. This is one atomic step, so {@link #awaitIdle} never sees a request without a
   * worker.
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

  /** A plan and the files that it was made for, from decision to installation. */
  private record Job(PinnedVersion<Table> files, Plan plan) {}

  private boolean doNext() {
    Job job = decide();
    if (job == null) {
      errors.worked(Activity.COMPACT);
      if (noRoom == null) {
        errors.worked(Activity.COLLECT); // nothing is left to collect
      }
      return isPartlyUnknown();
    }
    boolean collects = job.plan instanceof Plan.Clean clean && !clean.segments().isEmpty();
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
    readStates.refresh();
    whenInstalled.run();
    return true;
  }

  /** Whether a job may be due that the last decision did not consider. */
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
    return plan instanceof Plan.Clean clean ? name + " " + clean.reason() : name;
  }

  private long run(Job job) {
    try {
      return move(job);
    } finally {
      MappedFaults.check();
    }
  }

  private long move(Job job) {
    versions.repair(); // a broken manifest fails the job before it writes tables
    CompactionJob work = new CompactionJob(job.files, tables, places);
    Function<Version, VersionEdit> edit = work.run(job.plan);
    places.log().holes().promise(work.holes().bytes());
    versions.install(edit, work.holes().ranges());
    counters.collectedBytes.add(work.movedBytes());
    return work.movedBytes();
  }

  /** Suspends collection for lack of room. Other jobs continue, and may free space. */
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
        Optional<Plan> plan = new CompactionPicker(
                levels,
                tidies
                    ? grown.whenIdle()
                    : collects.waitsForL0() ? grown.whenL0IsInTheWay() : grown,
                levels,
                Optional.of(collects).filter(all -> noRoom == null))
            .next(levels.shape(), running);
        MappedFaults.check(); // the decision read sampled keys
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

  /**
   * Returns the planner of collections. A collection that a caller requested comes first, and has
   * no lower limit on garbage.
   */
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
    long debt = CompactionPicker.debtBytes(levels.shape(), grown);
    int l0Runs = levels.shape().l0().size();
    SpaceAmplificationBudget room =
        asked > 0 || noRoom != null ? SpaceAmplificationBudget.ANY : collects.room(levels.shape());
    throttle.set(new Pressure(components.backlog(), l0Runs, debt), room, tailSeqno.getAsLong());
  }

  /**
   * Reclaims every existing value segment whose removal frees space, and waits until that is done.
   * Does not cover data in memory.
   *
   * @param seqno waits until no write below it is in level 0
   * @throws ResourceExhaustedException if there is no room to relocate values to
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
   * Starts idle-time maintenance. While the log ends at this seqno, the levels are tidied beyond
   * the usual thresholds, because rewriting takes no bandwidth from writers. A write ends the
   * maintenance: running jobs finish, because cancelling them would waste their work, but no new
   * job starts.
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

  /** Waits for a condition. Also returns if no worker is left that could bring it about. */
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

  /** Stops starting jobs. */
  void close() {
    closing = true;
    signal();
  }
}
