// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.io.DirectoryLock;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.level.PageCache;
import io.github.rlsm.level.ReadCounters;
import io.github.rlsm.level.Table;
import io.github.rlsm.log.PublishedSeqno;
import io.github.rlsm.log.SegmentFiles;
import io.github.rlsm.log.ValueLog;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.memory.SnapshotRegistry;
import io.github.rlsm.version.PinnedVersion;
import io.github.rlsm.version.VersionSet;
import java.util.List;

/**
 * The parts of an open engine, wired by {@link EngineOpening}, and their end.
 *
 * @param firstSeqno where this session's writes began
 */
record EngineParts(
    StoreDirectory directory,
    DirectoryLock lock,
    EngineSettings settings,
    Environment environment,
    Fatal fatal,
    Counters counters,
    ReadCounters readCounters,
    PageCache cache,
    PublishedSeqno published,
    SnapshotRegistry snapshots,
    SegmentFiles segments,
    ValueLog values,
    VersionSet<Table> versions,
    Views views,
    Components components,
    WritePath writes,
    Flusher flusher,
    Compactor compactor,
    Brake brake,
    Releases releases,
    long firstSeqno) {

  /** Seals what is in memory and returns once all of it is in tables. */
  void flushAll() {
    fatal.check();
    long end = writes.tailSeqno();
    published.awaitAtLeast(end);
    writes.seal();
    while (versions.current().flushedSeqno() < end) {
      fatal.check();
      environment.scheduler().flush(flusher::run);
      writes.awaitFlush(() -> versions.current().flushedSeqno() >= end);
    }
  }

  /** Lets nobody wait for background work any more, so that closing can wait for everybody. */
  void stopWaiting() {
    writes.close();
    compactor.close();
  }

  /** Checks every byte of every live table. */
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
    } finally {
      files.unpin();
    }
  }

  /** Ends everything; nobody is inside any more. */
  void close() {
    flusher.close();
    environment.scheduler().close();
    RuntimeException failure = null;
    try {
      if (!fatal.isSet()) {
        writes.sync();
      }
    } catch (RuntimeException e) {
      failure = e;
    }
    List<MemoryComponent> memory = views.memory();
    views.close();
    releases.run();
    versions.close();
    releases.run();
    memory.forEach(component -> component.log().file(false).close());
    values.close();
    segments.close();
    lock.close();
    directory.close();
    if (failure != null) {
      throw failure;
    }
  }
}
