// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.compact.CollectJob;
import io.github.rlsm.compact.DeadEntries;
import io.github.rlsm.compact.ValueSegments;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.DiskFullException;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.level.Table;
import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.log.RecordLayout;
import io.github.rlsm.log.ValueLog;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.policy.CollectPlanner;
import io.github.rlsm.policy.CollectSettings;
import io.github.rlsm.policy.SpaceShape;
import io.github.rlsm.policy.ValueSegmentShape;
import io.github.rlsm.version.PinnedVersion;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.TableMeta;
import io.github.rlsm.version.Version;
import io.github.rlsm.version.VersionEdit;
import io.github.rlsm.version.VersionSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Collects value segments, one at a time and in small pieces, each a task of the compacting
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

  private final StoreDirectory directory;
  private final VersionSet<Table> versions;
  private final Views views;
  private final Components components;
  private final ValueLog values;
  private final CollectJob.Mover mover;
  private final LongSupplier tailSeqno;
  private final Runnable seal;
  private final CollectSettings settings;
  private final Scheduler scheduler;
  private final Fatal fatal;
  private final Counters counters;
  private final DeadEntries deadEntries = new DeadEntries();

  // Owned by the task.

  private @Nullable Examination current;

  /**
   * After a segment turned out to be hardly worth it, nothing is collected unasked until as much
   * has been written as was moved for it: so estimates that are wrong in the same way again and
   * again cannot keep a store busy to which nobody writes.
   */
  private long heldUntilSeqno;

  /** Segments in which a record is damaged; they stay as they are. */
  private final Set<Integer> damaged = new HashSet<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<Examined> examined = new ArrayList<>(); // guarded by lock
  private boolean running; // guarded by lock
  private boolean again; // guarded by lock: asked for while the task was running
  private boolean resting; // guarded by lock: there is work, but a flush has to come first
  private int asked; // guarded by lock: callers that wait for all to be collected
  private int askedBelow; // guarded by lock: they mean segments with smaller numbers
  private long removals; // guarded by lock
  private @Nullable RuntimeException givenUp; // guarded by lock: why the last round ended early
  private @Nullable CorruptionException damage; // guarded by lock: the first that was met
  private volatile boolean closing;

  /** A segment that is being walked. */
  private record Examination(SegmentAccount account, CollectJob job) {}

  /** A segment that may go once everything below a seqno is in tables. */
  private record Examined(SegmentAccount account, long endSeqno, long movedBytes) {}

  /**
   * A collector that does nothing before it is {@link #kick kicked}.
   *
   * @param mover used by one task at a time
   * @param tailSeqno the seqno that the next write will get, or a later one
   * @param seal has what was written so far flushed
   */
  Collector(
      StoreDirectory directory,
      VersionSet<Table> versions,
      Views views,
      Components components,
      ValueLog values,
      CollectJob.Mover mover,
      LongSupplier tailSeqno,
      Runnable seal,
      CollectSettings settings,
      Scheduler scheduler,
      Fatal fatal,
      Counters counters) {
    this.directory = directory;
    this.versions = versions;
    this.views = views;
    this.components = components;
    this.values = values;
    this.mover = mover;
    this.tailSeqno = tailSeqno;
    this.seal = seal;
    this.settings = settings;
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
    current = null;
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
    if (current == null) {
      current = begin();
    }
    if (current != null) {
      examine(current);
      return true;
    }
    if (isWaiting() && components.sealedCount() == 0) {
      seal.run(); // nobody may ever fill the generation that holds what was moved
    }
    return false;
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

  private boolean isWaiting() {
    lock.lock();
    try {
      return !examined.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  private void examine(Examination examination) {
    CollectJob job = examination.job;
    long before = job.movedBytes();
    boolean more;
    try {
      more = job.step(settings.stepBytes(), this::hasRoom);
    } catch (CorruptionException e) {
      leaveAlone(examination.account, e);
      return;
    } finally {
      counters.collectedBytes.add(job.movedBytes() - before);
    }
    if (!more) {
      current = null;
      double vain = settings.whenAsked().liveFractionMax();
      if (job.movedBytes() > vain * examination.account.totalBytes()) {
        heldUntilSeqno = tailSeqno.getAsLong() + job.movedBytes() / RecordLayout.UNIT;
      }
      lock.lock();
      try {
        // All that any look-up has seen is below the tail of now.
        examined.add(new Examined(examination.account, tailSeqno.getAsLong(), job.movedBytes()));
      } finally {
        lock.unlock();
      }
    }
  }

  /** A segment in which something is damaged stays as it is; others go on. */
  private void leaveAlone(SegmentAccount segment, CorruptionException e) {
    current = null;
    damaged.add(segment.number());
    lock.lock();
    try {
      damage = damage == null ? e : damage;
    } finally {
      lock.unlock();
    }
  }

  // ----- which

  /** The next examination; null if none is due. */
  private @Nullable Examination begin() {
    SegmentAccount account = next();
    while (account != null) {
      try {
        return new Examination(
            account, new CollectJob(values.records(account.number(), account.totalBytes()), mover));
      } catch (CorruptionException e) {
        leaveAlone(account, e);
        account = next();
      }
    }
    return null;
  }

  private @Nullable SegmentAccount next() {
    PinnedVersion<Table> files = versions.pin();
    try {
      Optional<ValueSegmentShape> next = plan(space(files));
      return next.isEmpty() ? null : files.version().segment(next.get().number());
    } finally {
      files.unpin();
    }
  }

  private Optional<ValueSegmentShape> plan(SpaceShape space) {
    int below;
    lock.lock();
    try {
      below = asked > 0 ? askedBelow : 0;
    } finally {
      lock.unlock();
    }
    SpaceShape meant = new SpaceShape(
        space.diskBytes(),
        space.liveBytes(),
        space.youngest(),
        space.segments().stream().filter(segment -> segment.number() < below).toList());
    return new CollectPlanner(settings.whenAsked())
        .next(meant)
        .or(() -> tailSeqno.getAsLong() < heldUntilSeqno
            ? Optional.empty()
            : new CollectPlanner(settings).next(space));
  }

  /**
   * The space that the current version and memory take. What only a snapshot still needs is left
   * out: no collection could free it.
   */
  private SpaceShape space(PinnedVersion<Table> files) {
    Version version = files.version();
    List<MemoryComponent> memory = views.memory();
    Set<Integer> leaving = leaving();
    Set<Integer> taken = new HashSet<>(damaged);
    taken.addAll(leaving);
    Set<Integer> inMemory = segmentsIn(memory);
    taken.addAll(inMemory);
    ValueSegments segments = new ValueSegments(files, deadEntries);
    List<ValueSegmentShape> all = segments.shapes();
    long disk = versions.manifestBytes();
    disk += version.tables().stream().mapToLong(TableMeta::fileBytes).sum();
    for (SegmentAccount account : version.segments()) {
      if (!leaving.contains(account.number()) && !inMemory.contains(account.number())) {
        disk += directory.size(StoreFileName.valueLog(account.number()));
      }
    }
    long live = segments.liveBytes();
    // The next generation's segments stand ready, as long as those that are being filled.
    disk += logBytes(memory.get(0));
    for (MemoryComponent component : memory) {
      live += component.log().recordBytes();
      disk += logBytes(component);
    }
    return new SpaceShape(
        disk,
        live,
        version.nextSegmentNumber(),
        all.stream().filter(segment -> !taken.contains(segment.number())).toList());
  }

  /** Segments that are examined already. */
  private Set<Integer> leaving() {
    Set<Integer> numbers = new HashSet<>();
    lock.lock();
    try {
      examined.forEach(segment -> numbers.add(segment.account.number()));
    } finally {
      lock.unlock();
    }
    return numbers;
  }

  /** Segments whose entries a look-up may still find in memory, where they are no pointers. */
  private static Set<Integer> segmentsIn(List<MemoryComponent> memory) {
    Set<Integer> numbers = new HashSet<>();
    memory.forEach(component -> numbers.add(ValueLog.numberOf(component.log())));
    return numbers;
  }

  private static long logBytes(MemoryComponent component) {
    LogGeneration log = component.log();
    return (long) log.file(false).length() + log.file(true).length();
  }

  // ----- letting go

  /** Lets go of the segments that no entry needs any more. */
  private void letGo() {
    Version now = versions.current();
    Set<Integer> empty = empty(now);
    List<Examined> ready = ready(now);
    if (empty.isEmpty() && ready.isEmpty()) {
      return;
    }
    Set<Integer> gone = new HashSet<>(empty);
    ready.forEach(segment -> gone.add(segment.account.number()));
    List<SegmentAccount> removed = new ArrayList<>();
    versions.install(version -> {
      VersionEdit.Builder edit = VersionEdit.builder();
      for (SegmentAccount account : version.segments()) {
        if (gone.contains(account.number())) {
          edit.removeSegment(account.number());
          removed.add(account);
        }
      }
      return edit.build();
    });
    views.refresh();
    long moved = ready.stream().mapToLong(Examined::movedBytes).sum();
    long freed = removed.stream().mapToLong(SegmentAccount::totalBytes).sum();
    counters.freedSegments.add(removed.size());
    counters.freedBytes.add(freed);
    FlightRecorder.collection(removed.size(), freed, moved);
    lock.lock();
    try {
      examined.removeIf(segment -> gone.contains(segment.account.number()));
      removals += removed.size();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Segments that no pointer in any table points into; nor does memory, which is younger. */
  private Set<Integer> empty(Version version) {
    Set<Integer> inMemory = segmentsIn(views.memory());
    Set<Integer> empty = new HashSet<>();
    for (SegmentAccount account : version.segments()) {
      if (account.liveBytes() == 0 && !inMemory.contains(account.number())) {
        empty.add(account.number());
      }
    }
    return empty;
  }

  private List<Examined> ready(Version version) {
    lock.lock();
    try {
      Predicate<Examined> isFlushed = segment -> version.flushedSeqno() >= segment.endSeqno();
      return examined.stream().filter(isFlushed).toList();
    } finally {
      lock.unlock();
    }
  }

  // ----- waiting

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
      if (damage != null) {
        throw damage;
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
    return running || (givenUp == null && (resting || !examined.isEmpty()));
  }

  /** Begins no further piece. */
  void close() {
    closing = true;
    signal();
  }
}
