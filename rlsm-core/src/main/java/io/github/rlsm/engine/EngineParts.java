// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.compact.TableFactory;
import io.github.rlsm.compact.ValuePlaces;
import io.github.rlsm.io.DirectoryLock;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.log.DurableSeqno;
import io.github.rlsm.log.PublishedSeqno;
import io.github.rlsm.log.RecoveredLog;
import io.github.rlsm.log.SegmentFiles;
import io.github.rlsm.logdevice.DirectLog;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.memory.SnapshotRegistry;
import io.github.rlsm.policy.StallPolicy;
import io.github.rlsm.table.PageCache;
import io.github.rlsm.table.ReadCounters;
import io.github.rlsm.table.Table;
import io.github.rlsm.table.TableAccess;
import io.github.rlsm.thread.Environment;
import io.github.rlsm.thread.Scheduler;
import io.github.rlsm.valuelog.ValueLog;
import io.github.rlsm.version.Version;
import io.github.rlsm.version.VersionEdit;
import io.github.rlsm.versionset.OrphanSweep;
import io.github.rlsm.versionset.VersionSet;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an open engine. Creates them in dependency order and closes them in reverse order.
 * All fields are constant after construction, except the closing flag.
 */
final class EngineParts {

  private static final int CLOSING_STEPS = 12;

  final EngineSettings settings;
  final Environment environment;
  final DeferredDeletes directory;
  private final DirectoryLock lock;

  // Errors and counters.
  final BackgroundError errors;
  final Counters counters = new Counters();
  final ReadCounters readCounters = new ReadCounters();
  final ColdValues coldValues = new ColdValues();

  // The log and memory.
  final long firstSeqno;
  final PublishedSeqno published;
  final SnapshotRegistry snapshots;
  final ValueLog values;
  final Components components;
  final WritePath writes;
  final WriteThrottle throttle;
  final LogForce force;
  final SegmentFiles segments;
  private final FlushSignal flushes;

  // The files.
  final PageCache cache;
  final EngineFiles files;
  final VersionSet<Table> versions;
  final ReadStates readStates;
  final MappedFiles mappedFiles;
  final Compactor compactor;
  private final EmptySegments empty;
  private final Flusher flusher;
  private final DeferredCleanup cleanup;

  /**
   * Closes and deletes files on a separate thread. Deletion takes as long as the kernel needs to
   * drop the cached pages.
   */
  private final DeferredCleanup deletions;

  private final GenerationPool generationPool;

  private volatile boolean closing;

  /**
   * Creates the parts from a recovered state.
   *
   * @param opened receives the resources that must be closed if this fails
   */
  EngineParts(
      StoreDirectory directory,
      EngineSettings settings,
      Environment environment,
      Recovered recovered,
      CommitDependencies dependencies,
      Deque<AutoCloseable> opened) {
    this.settings = settings;
    this.environment = environment;
    this.errors =
        new BackgroundError(directory.path(), environment.nanoClock(), environment.scheduler());
    this.directory = new DeferredDeletes(directory, errors);
    this.flushes = new FlushSignal(errors);
    this.lock = recovered.lock();
    this.published = recovered.published();
    this.snapshots = recovered.snapshots();
    this.firstSeqno = recovered.log().endSeqno();
    Scheduler scheduler = environment.scheduler();
    cleanup = new DeferredCleanup(scheduler::flush, errors);
    deletions = new DeferredCleanup(scheduler::delete, errors);
    cache = new PageCache(settings.cacheBytes());
    opened.push(cleanup::run);
    opened.push(deletions::run);
    values = valueLog(recovered.manifest().storeId());
    opened.push(values);
    files = engineFiles(recovered.manifest().storeId());
    versions = openVersions(recovered, opened);
    DirectLog.retire(directory, versions.storeId(), settings.directLog(), environment.random());
    segments = openSegments(recovered.log());
    opened.push(segments);
    DirectLog direct = openDirectLog(recovered.log(), opened);
    generationPool = new GenerationPool(segments, values, settings.memory().capacity());
    readStates = new ReadStates(versions, readCounters, generationPool::recycle, cleanup::add);
    mappedFiles = new MappedFiles(this.directory, versions, values, readStates, scheduler);
    components = new Components(
        generationPool, values, published, snapshots, settings.memory(), scheduler, readStates);
    recovered.components().forEach(components::adopt);
    MemoryComponent first = components.first(segments.begin(firstSeqno, 0, 0));
    throttle = new WriteThrottle(new StallPolicy(settings.stall()), counters);
    TableFactory tables = tableFactory();
    empty = new EmptySegments(versions, readStates, values.holes(), counters);
    compactor = compactor(tables);
    flusher = flusher(tables, dependencies);
    force = new LogForce(readStates, published, errors, counters, direct);
    writes = new WritePath(
        segments,
        components,
        published,
        committed(dependencies),
        errors,
        flushes,
        settings,
        counters,
        environment.nanoClock(),
        first,
        this::sealed,
        this::filled);
    beginWork();
  }

  private void mapped() {
    mappedFiles.mapped();
  }

  private void beginWork() {
    Scheduler scheduler = environment.scheduler();
    sayHowToRetry();
    empty.release();
    scheduler.prepare(this::prepare);
    startFlush();
    compactor.kick();
    new IdleWatch(scheduler, settings.idleNanos(), this::tailSeqno, this::becomeIdle).start();
  }

  /** Registers how to retry work that failed for a transient cause. */
  private void sayHowToRetry() {
    Scheduler scheduler = environment.scheduler();
    errors.retry(Activity.FLUSH, this::startFlush, () -> hasRoom(flusher.neededBytes()));
    errors.retry(Activity.COMPACT, compactor::kick, () -> hasRoom(settings.segmentBytes()));
    errors.retry(
        Activity.COLLECT, compactor::retryCollection, () -> hasRoom(settings.segmentBytes()));
    errors.retry(Activity.PREPARE, () -> scheduler.prepare(this::prepare), () -> true);
    errors.retry(Activity.INSTALL, () -> scheduler.flush(this::repairManifest), () -> true);
    errors.retry(Activity.DELETE, () -> scheduler.delete(directory::retry), () -> true);
  }

  private boolean hasRoom(long bytes) {
    try {
      return directory.freeBytes() > bytes;
    } catch (StoreIoException e) {
      return true; // the retry will report the error
    }
  }

  private void repairManifest() {
    try {
      versions.repair();
      errors.worked(Activity.INSTALL);
    } catch (RuntimeException | Error e) {
      errors.report(e, Activity.INSTALL);
    }
  }

  /** Installs an edit on behalf of a user's call. */
  Version install(Function<Version, VersionEdit> maker) {
    errors.check();
    try {
      Version installed = versions.install(maker);
      errors.worked(Activity.INSTALL);
      return installed;
    } catch (StoreIoException | Error e) {
      errors.report(e, Activity.INSTALL);
      throw e;
    }
  }

  private CommittedSeqno committed(CommitDependencies dependencies) {
    // Do not use the end of the recovered log: after a crash of the process alone, it was never
    // forced.
    long durable = versions.current().flushedSeqno();
    return new CommittedSeqno(
        new DurableSeqno(durable, force::force, environment.nanoClock()), dependencies, errors);
  }

  private Flusher flusher(TableFactory tables, CommitDependencies dependencies) {
    return new Flusher(
        readStates,
        versions,
        tables,
        published,
        segments,
        generationPool,
        cleanup,
        dependencies,
        errors,
        settings.separationBytes(),
        environment.nanoClock(),
        () -> {
          flushes.signal();
          filled();
          compactor.retryCollection();
        });
  }

  private long tailSeqno() {
    return writes.tailSeqno();
  }

  private ValueLog valueLog(long storeId) {
    return new ValueLog(directory, storeId, environment.nanoClock(), this::mapped);
  }

  private EngineFiles engineFiles(long storeId) {
    TableAccess access = new TableAccess(cache, readCounters, settings.verifyEveryRead());
    return new EngineFiles(directory, values, storeId, access, deletions, this::mapped);
  }

  private VersionSet<Table> openVersions(Recovered recovered, Deque<AutoCloseable> opened) {
    VersionSet<Table> set =
        VersionSet.open(directory, recovered.manifest(), files, settings.manifestRollBytes());
    opened.push(set);
    OrphanSweep.orphans(set.current(), set.manifestNumber(), directory.list())
        .forEach(directory::delete);
    return set;
  }

  private @Nullable DirectLog openDirectLog(RecoveredLog log, Deque<AutoCloseable> opened) {
    DirectLog direct = DirectLog.open(
        directory, versions.storeId(), settings.directLog(), published, environment.random());
    if (direct != null) {
      opened.push(direct);
      segments.expectNoForces(log.generations());
    }
    return direct;
  }

  private SegmentFiles openSegments(RecoveredLog log) {
    Version version = versions.current();
    return new SegmentFiles(
        directory,
        versions.storeId(),
        settings.segmentBytes(),
        environment.random()::nextInt,
        versions::mark,
        log,
        version.nextSegmentNumber(),
        version.firstGeneration());
  }

  private Compactor compactor(TableFactory tables) {
    return new Compactor(
        versions,
        readStates,
        components,
        tables,
        new ValuePlaces(values, segments::beginMoved, environment.scheduler()::compact),
        new SpaceSurvey(versions, values),
        settings,
        this::tailSeqno,
        environment.scheduler(),
        throttle,
        errors,
        counters,
        empty::release);
  }

  private TableFactory tableFactory() {
    return new TableFactory(
        directory,
        settings.tables(),
        versions.storeId(),
        settings.tableBytesMax(),
        versions::newFileNumber,
        new TableFactory.Control(counters::countTableBytes, () -> closing));
  }

  private void sealed() {
    throttle.written(tailSeqno());
    if (throttle.pressure().garbage() > 0) {
      compactor.kick(); // do not wait for the flush of this component
    }
    environment.scheduler().prepare(this::prepare);
    startFlush();
  }

  /** Prepares the segments and arrays of the next component. */
  private void prepare() {
    if (errors.isSet() || errors.isWaiting(Activity.PREPARE)) {
      return;
    }
    try {
      generationPool.prepare();
      errors.worked(Activity.PREPARE);
    } catch (RuntimeException | Error e) {
      errors.report(e, Activity.PREPARE);
    }
  }

  private void filled() {
    throttle.unflushed(components.backlog());
  }

  private void startFlush() {
    environment.scheduler().flush(flusher::run);
  }

  /** Seals what is in memory and returns once all of it is in tables. */
  void flushAll() {
    errors.check();
    long end = writes.tailSeqno();
    published.awaitAtLeast(end);
    writes.seal();
    startFlush();
    flushes.awaitUntil(() -> versions.current().flushedSeqno() >= end);
  }

  /** Starts idle-time work. Data in memory stays there unless its log takes much space. */
  private void becomeIdle(long seqno) {
    shrinkLog();
    compactor.whenIdle(seqno);
  }

  private void shrinkLog() {
    try {
      segments.calm();
      writes.sealIfRoomy();
    } catch (RuntimeException | Error e) {
      // After a transient error the long segment stays in use: there is no room for a shorter one.
      errors.report(e, Activity.PREPARE);
    }
  }

  /** Flushes, runs idle-time maintenance, and deletes the files that it freed. */
  void settle() {
    segments.calm();
    flushAll();
    compactor.whenIdle(tailSeqno());
    compactor.awaitIdle();
    AtomicBoolean released = new AtomicBoolean();
    Scheduler scheduler = environment.scheduler();
    scheduler.flush(() -> {
      shrinkLog();
      // Runs after the flush of the component that shrinkLog sealed.
      scheduler.flush(() -> {
        cleanup.add(generationPool::trim);
        cleanup.run();
        // Runs after the deletions that are already queued.
        scheduler.delete(() -> {
          deletions.run();
          released.set(true);
          flushes.signal();
        });
      });
    });
    flushes.awaitUntil(released::get);
  }

  /** Reclaims every value segment whose removal frees space. */
  void collectAll() {
    long end = tailSeqno();
    flushAll();
    compactor.collectAll(end);
  }

  boolean isClosing() {
    return closing;
  }

  /** Ends all waits for background work, so that close can wait for the running operations. */
  void stopWaiting() {
    closing = true;
    flushes.close();
    compactor.close();
  }

  /**
   * Records in the manifest how far the log is durable, unless all of it is in tables. So the next
   * opening detects if the log of a closed store was lost.
   */
  private void sayDurable(long seqno) {
    Version now = versions.current();
    if (seqno > Math.max(now.flushedSeqno(), now.durableSeqno())) {
      try {
        versions.install(VersionEdit.builder().durable(seqno).build());
      } catch (ResourceExhaustedException e) {
        // The record only helps to detect damage. The data is safe without it, and closing must
        // succeed.
      }
    }
  }

  /** Closes all parts. No operation is running any more. */
  void close() {
    flusher.close();
    environment.scheduler().close();
    try {
      if (errors.isSet()) {
        force.forceAnyway();
      } else {
        writes.sync();
        sayDurable(writes.tailSeqno());
        force.detach();
      }
    } finally {
      closeAll();
    }
  }

  /** Closes all parts, even if some fail. Throws the first error, or else the first exception. */
  private void closeAll() {
    RuntimeException exception = null;
    Error error = null;
    for (int step = 0; step < CLOSING_STEPS; step++) {
      try {
        close(step);
      } catch (RuntimeException e) {
        exception = exception == null ? e : exception;
      } catch (Error e) {
        error = error == null ? e : error;
      }
    }
    if (error != null) {
      throw error;
    }
    if (exception != null) {
      throw exception;
    }
  }

  /**
   * Runs one closing step. A switch, because a list of tasks could not be allocated without memory.
   */
  private void close(int step) {
    switch (step) {
      // Before the last view is retired: the components that it resnapshots are not flushed, so
      // their
      // log must not be recycled.
      case 0 -> segments.close();
      case 1 -> readStates.close();
      case 2, 5 -> cleanup.run();
      case 3, 6 -> deletions.run();
      case 4 -> versions.close();
      case 7 ->
        readStates.memory().forEach(component -> component.log().file(false).close());
      case 8 -> values.close();
      case 9 -> force.close();
      case 10 -> lock.close();
      default -> directory.close();
    }
  }
}
