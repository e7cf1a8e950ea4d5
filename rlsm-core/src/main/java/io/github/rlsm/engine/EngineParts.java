// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.compact.AccountCheck;
import io.github.rlsm.compact.TableFactory;
import io.github.rlsm.io.DirectoryLock;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.level.PageCache;
import io.github.rlsm.level.ReadCounters;
import io.github.rlsm.level.Table;
import io.github.rlsm.level.TableAccess;
import io.github.rlsm.log.DurableSeqno;
import io.github.rlsm.log.PublishedSeqno;
import io.github.rlsm.log.RecoveredLog;
import io.github.rlsm.log.SegmentFiles;
import io.github.rlsm.log.ValueLog;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.memory.SnapshotRegistry;
import io.github.rlsm.policy.StallPolicy;
import io.github.rlsm.version.OrphanSweep;
import io.github.rlsm.version.PinnedVersion;
import io.github.rlsm.version.Version;
import io.github.rlsm.version.VersionSet;
import java.util.Deque;
import java.util.List;

/**
 * The parts of an open engine, made in the order in which they need each other, and ended in the
 * opposite one. All constant after construction.
 */
final class EngineParts {

  final EngineSettings settings;
  final Environment environment;
  final StoreDirectory directory;
  private final DirectoryLock lock;

  // What goes wrong, and what is counted.
  final Fatal fatal = new Fatal();
  final Counters counters = new Counters();
  final ReadCounters readCounters = new ReadCounters();

  // The log and memory.
  final long firstSeqno;
  final PublishedSeqno published;
  final SnapshotRegistry snapshots;
  final ValueLog values;
  final Components components;
  final WritePath writes;
  final Brake brake;
  private final LogForce force;
  final SegmentFiles segments;
  private final FlushSignal flushes = new FlushSignal(fatal);

  // The files.
  final PageCache cache;
  final VersionSet<Table> versions;
  final Views views;
  final Compactor compactor;
  final Collector collector;
  private final Flusher flusher;
  private final Releases releases;

  private volatile boolean closing;

  /**
   * Continues what was recovered.
   *
   * @param opened takes what must be closed if this fails
   */
  EngineParts(
      StoreDirectory directory,
      EngineSettings settings,
      Environment environment,
      Recovered recovered,
      Deque<AutoCloseable> opened) {
    this.directory = directory;
    this.settings = settings;
    this.environment = environment;
    this.lock = recovered.lock();
    this.published = recovered.published();
    this.snapshots = recovered.snapshots();
    this.firstSeqno = recovered.log().endSeqno();
    Scheduler scheduler = environment.scheduler();

    releases = new Releases(scheduler, fatal);
    cache = new PageCache(settings.cacheBytes());
    opened.push(releases::run);
    values = new ValueLog(directory, recovered.manifest().storeId());
    opened.push(values);
    versions = openVersions(recovered, opened);
    segments = openSegments(recovered.log());
    opened.push(segments);
    SpareParts spareParts = new SpareParts(segments, settings.memory().capacity());
    views = new Views(versions, component -> unused(component, spareParts), releases::add);
    components = new Components(
        spareParts, values, published, snapshots, settings.memory(), scheduler, views);
    recovered.components().forEach(components::adopt);
    MemoryComponent first = components.begin(segments.begin(firstSeqno, 0, 0), 0);

    brake = new Brake(new StallPolicy(settings.stall()), counters);
    TableFactory tables = tableFactory();
    compactor = compactor(tables, scheduler);
    flusher = new Flusher(
        views, versions, tables, published, spareParts, fatal, settings.separationBytes(), () -> {
          flushes.signal();
          compactor.kick();
          wakeCollector();
        });
    force = new LogForce(views, published, fatal, counters);
    writes = new WritePath(
        segments,
        components,
        published,
        // Not what recovery read: after the mere death of the process that was never forced.
        new DurableSeqno(versions.current().flushedSeqno(), force::force, environment.nanoClock()),
        fatal,
        flushes,
        settings,
        counters,
        environment.nanoClock(),
        first,
        this::startFlush);
    collector = collector(scheduler);
    startFlush();
    compactor.kick();
    collector.kick();
  }

  private Compactor compactor(TableFactory tables, Scheduler scheduler) {
    return new Compactor(
        versions,
        views,
        components,
        tables,
        settings.policy(),
        scheduler,
        brake,
        fatal,
        this::wakeCollector);
  }

  private Collector collector(Scheduler scheduler) {
    return new Collector(
        directory,
        versions,
        views,
        components,
        values,
        new Relocation(writes, new Lookup(views, versions)),
        writes::tailSeqno,
        writes::seal,
        settings.collect(),
        scheduler,
        fatal,
        counters);
  }

  /** Nobody reads the component any more. */
  private void unused(MemoryComponent component, SpareParts spareParts) {
    try {
      values.release(component.log()); // first: the next user may take the file at once
    } finally {
      spareParts.recycle(component);
    }
  }

  private VersionSet<Table> openVersions(Recovered recovered, Deque<AutoCloseable> opened) {
    EngineFiles files = new EngineFiles(
        directory,
        recovered.manifest().storeId(),
        new TableAccess(cache, readCounters, settings.verifyEveryRead()),
        values,
        releases);
    VersionSet<Table> set =
        VersionSet.open(directory, recovered.manifest(), files, settings.manifestRollBytes());
    opened.push(set);
    OrphanSweep.orphans(set.current(), set.manifestNumber(), directory.list())
        .forEach(directory::delete);
    return set;
  }

  private SegmentFiles openSegments(RecoveredLog log) {
    Version version = versions.current();
    return new SegmentFiles(
        directory,
        versions.storeId(),
        settings.segmentBytes(),
        environment.random()::nextInt,
        log,
        version.nextSegmentNumber(),
        version.firstGeneration());
  }

  private TableFactory tableFactory() {
    return new TableFactory(
        directory,
        settings.tables(),
        versions.storeId(),
        settings.tableBytesMax(),
        versions::newFileNumber,
        counters::countTableBytes,
        () -> closing);
  }

  /** What a flush or a rewrite has changed may make a segment worth collecting. */
  private void wakeCollector() {
    collector.kick();
  }

  private void startFlush() {
    environment.scheduler().flush(flusher::run);
  }

  /** Seals what is in memory and returns once all of it is in tables. */
  void flushAll() {
    fatal.check();
    long end = writes.tailSeqno();
    published.awaitAtLeast(end);
    writes.seal();
    startFlush();
    flushes.awaitUntil(() -> versions.current().flushedSeqno() >= end);
  }

  /** Checks every byte of every live table, and the accounts of the value segments. */
  void checkAll() {
    PinnedVersion<Table> files = versions.pin();
    try {
      for (int i = 0; i < files.version().l0().size(); i++) {
        files.l0Table(i).checkAll();
      }
      for (int i = 0; i < files.version().partitions().size(); i++) {
        for (int j = 0; j < files.partition(i).partition().runs().size(); j++) {
          files.partition(i).table(j).checkAll();
        }
      }
      new AccountCheck(files).run();
    } finally {
      files.unpin();
    }
  }

  /** Lets nobody wait for background work any more, so that closing can wait for everybody. */
  void stopWaiting() {
    closing = true;
    flushes.close();
    compactor.close();
    collector.close();
  }

  /** Ends everything; nobody is inside any more. */
  void close() {
    flusher.close();
    environment.scheduler().close();
    try {
      if (fatal.isSet()) {
        force.forceAnyway();
      } else {
        writes.sync();
      }
    } finally {
      List<MemoryComponent> memory = views.memory();
      // Before the last view goes: what that lets go of is not flushed, and its log must stay.
      segments.close();
      views.close();
      releases.run();
      versions.close();
      releases.run();
      memory.forEach(component -> component.log().file(false).close());
      values.close();
      lock.close();
      directory.close();
    }
  }
}
