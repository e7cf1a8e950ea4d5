// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.background;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.rlsm.background.BackgroundError.Activity;
import io.github.rlsm.base.Pause;
import io.github.rlsm.compact.CompactionJob;
import io.github.rlsm.compact.Levels;
import io.github.rlsm.compact.PartitionShapes;
import io.github.rlsm.compact.TableFactory;
import io.github.rlsm.compact.UnreadableValueException;
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
import io.github.rlsm.policy.StallPolicy;
import io.github.rlsm.policy.StallPolicy.Pressure;
import io.github.rlsm.policy.StallPolicy.SpaceAmplificationBudget;
import io.github.rlsm.policy.ValueUse;
import io.github.rlsm.table.Table;
import io.github.rlsm.thread.Scheduler;
import io.github.rlsm.version.Version;
import io.github.rlsm.version.VersionEdit;
import io.github.rlsm.versionset.PinnedVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs background jobs: asks the policies for the next one and runs it, on several threads in
 * parallel.
 *
 * <p>Threads: any. Only one thread at a time decides on a job or installs a result; the work in
 * between runs in parallel. A decision may read keys from disk and wait for the manifest, so
 * {@link #kick}, which writers and readers call, takes no lock.
 */
class Compactor {

  private final StoreFiles files;
  private final StoreMemory memory;
  private final PolicySettings settings;
  private final CollectSettings collect;
  private final Scheduler scheduler;
  private final BackgroundError errors;

  private final WriteThrottle throttle;
  private final CompactionJob.ValuePlaces places;
  private final SpaceSurvey survey;
  private final IdleLoading loading;
  private final EmptySegments empty;
  private final LongAdder collectedBytes = new LongAdder();

  private final ReentrantLock lock = new ReentrantLock();
  private final Runnable worker = this::work;

  /**
   * Guards waiting threads; held only briefly. A thread that needs both locks takes {@link #lock}
   * first.
   */
  private final ReentrantLock waiting = new ReentrantLock();

  private final Condition idle = waiting.newCondition();

  @GuardedBy("lock")
  private final PartitionShapes shapes = new PartitionShapes();

  @GuardedBy("lock")
  private final List<Plan> running = new ArrayList<>();

  /**
   * Twice the number of workers, plus 1 if a thread requested work while all workers were busy.
   * Both are in one number, so that a thread cannot miss the worker and the request together.
   */
  private final AtomicInteger workers = new AtomicInteger();

  /** The error that ended the last collection. Written under lock, or by a flush. */
  private volatile @Nullable ResourceExhaustedException noRoom;

  @GuardedBy("lock")
  private int asked; // the number of callers waiting in collectAll

  @GuardedBy("lock")
  private int askedBelow; // collectAll covers segments with smaller numbers

  @GuardedBy("lock")
  private long askedSeqno; // collectAll covers writes with smaller seqnos

  private volatile boolean askedIsDone; // written under lock
  private volatile boolean closing;

  /** The end of the log when the store last became idle; negative if it never was. */
  private volatile long idleSeqno = -1;

  /** Creates a compactor that is idle until the first {@link #kick}. */
  Compactor(
      StoreFiles files, StoreMemory memory, BackgroundWork.Settings settings, Scheduler scheduler) {
    this.files = files;
    this.memory = memory;
    this.settings = settings.policy();
    this.collect = settings.collect();
    this.scheduler = scheduler;
    this.errors = files.errors();
    this.throttle = new WriteThrottle(new StallPolicy(settings.stall()));
    this.places = new CompactionJob.ValuePlaces(
        files.values(),
        memory.segments()::beginMoved,
        scheduler::compact,
        this.settings.parallelism());
    this.survey = new SpaceSurvey(files.versions(), files.values());
    this.loading = new IdleLoading(files, survey, this::isAtRest);
    this.empty = new EmptySegments(files, memory.readStates());
  }

  /** Returns the throttle of writers, which this compactor sets. */
  WriteThrottle throttle() {
    return throttle;
  }

  /** Returns the end of the log. Tests override this method to watch decisions. */
  long tailSeqno() {
    return memory.tailSeqno();
  }

  /** Returns the bytes of live values that were relocated. */
  long collectedBytes() {
    return collectedBytes.sum();
  }

  /** Returns the bytes of live values in value segments, as of the last decision. */
  long liveValueBytes() {
    return survey.liveValueBytes();
  }

  /** Returns the number of value segments that were retired. */
  long freedSegments() {
    return empty.freedSegments();
  }

  /** Returns the bytes of value segments freed so far, less the bytes written to free them. */
  long netFreedBytes() {
    return empty.freedBytes() - collectedBytes() + files.values().holes().punchedBytes();
  }

  /** Retires the value segments that are empty. */
  void retireEmptySegments() {
    empty.release();
  }

  private void signal() {
    waiting.lock();
    try {
      idle.signalAll();
    } finally {
      waiting.unlock();
    }
  }

  /** Takes the flushed data into account, and looks for a job. Called after each flush. */
  void flushed() {
    throttle.unflushed(memory.backlog());
    retryCollection();
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
    } catch (TableFactory.JobCancelledException e) {
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
      loadAtRest();
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
    memory.readStates().refresh();
    empty.release();
    return true;
  }

  private void loadAtRest() {
    if (isAtRest() && !isRunning()) {
      loading.run();
    }
  }

  private boolean isAtRest() {
    return goesOn() && isIdle();
  }

  /** Continues to load files after deletions, which leave memory free. */
  void memoryFreed() {
    if (isIdle() && loading.waitsForMemory()) {
      kick();
    }
  }

  private boolean isRunning() {
    lock.lock();
    try {
      return !running.isEmpty();
    } finally {
      lock.unlock();
    }
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
    files.versions().repair(); // a broken manifest fails the job before it writes tables
    CompactionJob work = new CompactionJob(job.files, files.tables(), places);
    Function<Version, VersionEdit> edit = work.run(job.plan);
    files.droppedSegments().addAll(work.droppedSegments());
    places.log().holes().promise(work.holes().bytes());
    files.versions().install(edit, work.holes().ranges());
    collectedBytes.add(work.movedBytes());
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
      PinnedVersion<Table> pinned = files.versions().pin();
      boolean kept = false;
      try {
        Levels levels = new Levels(pinned, shapes);
        PolicySettings grown = settings.grownTo(levels.shape());
        ValueUse use = survey.use(pinned, levels.shape().l1());
        // The limit for writers holds even if the store was idle until now.
        CollectPlanner writing = new CollectPlanner(collect, settings.deadFractionMax(), use);
        press(levels, grown, writing);
        boolean isIdle = isIdle();
        CollectPlanner collects = collects(use, levels.shape())
            .orElseGet(() ->
                isIdle ? CollectPlanner.atRest(collect, settings.deadFractionMax(), use) : writing);
        boolean tidies = isIdle || (asked > 0 && !askedIsDone);
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
        return new Job(pinned, plan.get());
      } finally {
        if (!kept) {
          pinned.unpin();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the planner of a collection that a caller requested; empty if none is due. It comes
   * first, and has no lower limit on garbage.
   */
  @GuardedBy("lock")
  private Optional<CollectPlanner> collects(ValueUse use, LevelShape shape) {
    if (asked > 0) {
      CollectPlanner all =
          CollectPlanner.whenAsked(collect, settings.deadFractionMax(), use, askedBelow);
      boolean isDue = all.isDue();
      long before = askedSeqno;
      askedIsDone = !isDue
          && shapes.isComplete()
          && shape.l0().stream().noneMatch(run -> run.minSeqno() < before);
      if (askedIsDone) {
        signal();
      }
      if (isDue) {
        return Optional.of(all);
      }
    }
    return Optional.empty();
  }

  @GuardedBy("lock")
  private void press(Levels levels, PolicySettings grown, CollectPlanner collects) {
    long debt = CompactionPicker.debtBytes(levels.shape(), grown);
    int l0Runs = levels.shape().l0().size();
    SpaceAmplificationBudget room =
        asked > 0 || noRoom != null ? SpaceAmplificationBudget.ANY : collects.room(levels.shape());
    throttle.set(new Pressure(memory.backlog(), l0Runs, debt), room, tailSeqno());
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
      askedBelow = Math.max(askedBelow, files.versions().current().nextSegmentNumber());
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
    return seqno >= 0 && seqno == tailSeqno();
  }

  /** Waits until {@link #memoryFreed} has loaded what there is room for. */
  void awaitLoading() {
    if (loading.waitsForMemory()) {
      awaitIdle();
    }
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
        Pause.untilSignal(idle, BackgroundError.LOOK_NANOS);
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
