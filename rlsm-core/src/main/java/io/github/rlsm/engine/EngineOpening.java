// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.compact.TableFactory;
import io.github.rlsm.io.DirectoryLock;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.InvalidOptionsException;
import io.github.rlsm.level.PageCache;
import io.github.rlsm.level.ReadCounters;
import io.github.rlsm.level.Table;
import io.github.rlsm.level.TableAccess;
import io.github.rlsm.log.DurableSeqno;
import io.github.rlsm.log.LogRecovery;
import io.github.rlsm.log.PublishedSeqno;
import io.github.rlsm.log.RecoveredLog;
import io.github.rlsm.log.SegmentFiles;
import io.github.rlsm.log.ValueLog;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.memory.SnapshotRegistry;
import io.github.rlsm.policy.StallPolicy;
import io.github.rlsm.recover.MemoryRebuilder;
import io.github.rlsm.version.ManifestRecovery;
import io.github.rlsm.version.OrphanSweep;
import io.github.rlsm.version.RecoveredManifest;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.Version;
import io.github.rlsm.version.VersionEdit;
import io.github.rlsm.version.VersionSet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Opens an engine: reads manifest and log, which changes nothing, then continues them.
 *
 * <p>If a step fails, what the steps before it opened is closed in the opposite order, and the
 * error goes on.
 */
final class EngineOpening {

  private final StoreDirectory directory;
  private final EngineSettings settings;
  private final Environment environment;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  private EngineOpening(
      StoreDirectory directory, EngineSettings settings, Environment environment) {
    this.directory = directory;
    this.settings = settings;
    this.environment = environment;
  }

  static EngineParts open(
      StoreDirectory directory, EngineSettings settings, Environment environment) {
    EngineOpening opening = new EngineOpening(directory, settings, environment);
    try {
      return opening.run();
    } catch (RuntimeException | Error e) {
      opening.closeAll(e);
      throw e;
    }
  }

  private <T extends AutoCloseable> T closing(T resource) {
    opened.push(resource);
    return resource;
  }

  private void closeAll(Throwable cause) {
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception e) {
        cause.addSuppressed(e);
      }
    }
  }

  private EngineParts run() {
    closing(directory);
    closing(environment.scheduler());
    DirectoryLock lock = closing(directory.lock());
    RecoveredManifest manifest = ManifestRecovery.recover(directory);
    if (manifest.newStore()) {
      manifest = manifest.withStoreId(environment.random().nextLong());
    } else {
      checkOptions(manifest.version().options());
    }
    long storeId = manifest.storeId();
    Version version = manifest.version();
    PublishedSeqno published = new PublishedSeqno(version.flushedSeqno());
    SnapshotRegistry snapshots = new SnapshotRegistry();
    MemoryRebuilder rebuilder = new MemoryRebuilder(published, snapshots, settings.memory());
    RecoveredLog log = LogRecovery.read(
        directory, storeId, version.flushedSeqno(), sealedSegments(version), rebuilder);
    closing(log);
    List<MemoryComponent> recovered = rebuilder.finish();
    published.publish(version.flushedSeqno(), log.endSeqno());

    Fatal fatal = new Fatal();
    Counters counters = new Counters();
    ReadCounters readCounters = new ReadCounters();
    PageCache cache = new PageCache(settings.cacheBytes());
    Releases releases = new Releases(environment.scheduler(), fatal);
    TableAccess access = new TableAccess(cache, readCounters, settings.verifyEveryRead());
    EngineFiles files = new EngineFiles(directory, storeId, access, releases);
    VersionSet<Table> versions =
        closing(VersionSet.open(directory, manifest, files, settings.manifestRollBytes()));
    if (manifest.newStore()) {
      VersionEdit.Builder edit = VersionEdit.builder();
      settings.shapeOptions().forEach(edit::setOption);
      versions.install(edit.build());
    }
    sweep(versions);
    return wire(
        lock,
        storeId,
        log,
        recovered,
        published,
        snapshots,
        fatal,
        counters,
        readCounters,
        cache,
        releases,
        versions);
  }

  private EngineParts wire(
      DirectoryLock lock,
      long storeId,
      RecoveredLog log,
      List<MemoryComponent> recovered,
      PublishedSeqno published,
      SnapshotRegistry snapshots,
      Fatal fatal,
      Counters counters,
      ReadCounters readCounters,
      PageCache cache,
      Releases releases,
      VersionSet<Table> versions) {
    Scheduler scheduler = environment.scheduler();
    SegmentFiles segments = new SegmentFiles(
        directory,
        storeId,
        settings.segmentBytes(),
        environment.random()::nextInt,
        log,
        nextSegment(versions.current()),
        versions.current().firstGeneration());
    ValueLog values = new ValueLog(directory, storeId);
    Wiring wiring = new Wiring();
    Views views =
        new Views(versions, component -> wiring.components().recycle(component), releases::add);
    Components components =
        new Components(segments, values, published, snapshots, settings.memory(), scheduler, views);
    wiring.components = components;
    recovered.forEach(components::adopt);
    DurableSeqno durable =
        new DurableSeqno(log.endSeqno(), new LogForce(views, published, fatal, counters)::force);
    MemoryComponent first = components.begin(segments.begin(log.endSeqno(), 0, 0), 0);
    Brake brake = new Brake(new StallPolicy(settings.stall()), counters);
    TableFactory tables = new TableFactory(
        directory,
        settings.tables(),
        storeId,
        settings.tableBytesMax(),
        versions::newFileNumber,
        counters::countTableBytes);
    Compactor compactor = new Compactor(
        versions, views, components, tables, settings.policy(), scheduler, brake, fatal);
    Flusher flusher = new Flusher(
        views, versions, tables, published, components, fatal, settings.separationBytes(), () -> {
          wiring.writes().flushed();
          compactor.kick();
        });
    WritePath writes = new WritePath(
        segments,
        components,
        published,
        durable,
        fatal,
        settings,
        counters,
        first,
        () -> scheduler.flush(flusher::run));
    wiring.writes = writes;
    scheduler.flush(flusher::run);
    compactor.kick();
    return new EngineParts(
        directory,
        lock,
        settings,
        environment,
        fatal,
        counters,
        readCounters,
        cache,
        published,
        snapshots,
        segments,
        values,
        versions,
        views,
        components,
        writes,
        flusher,
        compactor,
        brake,
        releases,
        log.endSeqno());
  }

  private void checkOptions(Map<String, String> stored) {
    List<String> problems = new ArrayList<>();
    settings.shapeOptions().forEach((name, value) -> {
      String before = stored.get(name);
      if (before != null && !before.equals(value)) {
        problems.add(name + " is " + value + ", but the store was made with " + before
            + "; it cannot be changed");
      }
    });
    if (!problems.isEmpty()) {
      throw new InvalidOptionsException(problems);
    }
  }

  private static Set<Integer> sealedSegments(Version version) {
    return version.segments().stream().map(SegmentAccount::number).collect(Collectors.toSet());
  }

  private static int nextSegment(Version version) {
    return version.segments().stream().mapToInt(SegmentAccount::number).max().orElse(0) + 1;
  }

  private void sweep(VersionSet<Table> versions) {
    List<String> orphans =
        OrphanSweep.orphans(versions.current(), versions.manifestNumber(), directory.list());
    orphans.forEach(directory::delete);
  }
}
