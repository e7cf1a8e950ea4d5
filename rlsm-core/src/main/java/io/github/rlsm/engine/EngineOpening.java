// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.io.DirectoryLock;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.InvalidOptionsException;
import io.github.rlsm.log.DirectLog;
import io.github.rlsm.log.LogRecovery;
import io.github.rlsm.log.LogStart;
import io.github.rlsm.log.PublishedSeqno;
import io.github.rlsm.log.RecordLayout;
import io.github.rlsm.log.RecoveredLog;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.memory.SnapshotRegistry;
import io.github.rlsm.recover.MemoryRebuilder;
import io.github.rlsm.version.ManifestRecovery;
import io.github.rlsm.version.RecoveredManifest;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.Version;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Opens an engine: first reads manifest and log, which changes nothing on disk but that segments
 * get back from a log device what they have lost; then has {@link EngineParts} continue them.
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
      Recovered recovered = opening.recover();
      return new EngineParts(directory, settings, environment, recovered, opening.opened);
    } catch (RuntimeException | Error e) {
      opening.closeAll(e);
      throw e;
    }
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

  private Recovered recover() {
    opened.push(directory);
    opened.push(environment.scheduler());
    DirectoryLock lock = directory.lock();
    opened.push(lock);
    RecoveredManifest manifest = ManifestRecovery.recover(directory);
    if (manifest.newStore()) {
      manifest = manifest.withStoreId(environment.random().nextLong(), settings.shapeOptions());
    } else {
      checkOptions(manifest.version().options());
    }
    Version version = manifest.version();
    PublishedSeqno published = new PublishedSeqno(version.flushedSeqno());
    SnapshotRegistry snapshots = new SnapshotRegistry();
    MemoryRebuilder rebuilder = new MemoryRebuilder(
        published, snapshots, settings.memory(), version.keyspaces().nextId());
    Set<Integer> sealed =
        version.segments().stream().map(SegmentAccount::number).collect(Collectors.toSet());
    DirectLog.recover(
        directory, manifest.storeId(), version.firstGeneration(), settings.directLog());
    RecoveredLog log = LogRecovery.read(
        directory,
        manifest.storeId(),
        new LogStart(
            version.flushedSeqno(),
            version.firstGeneration(),
            version.durableSeqno(),
            sealed,
            manifest.mark()),
        rebuilder);
    opened.push(log);
    List<MemoryComponent> components = rebuilder.finish();
    published.publish(version.flushedSeqno(), log.endSeqno());
    long replayed = (log.endSeqno() - version.flushedSeqno()) * RecordLayout.UNIT;
    FlightRecorder.recovery(log.generations().size(), replayed, log.droppedBytes());
    return new Recovered(lock, manifest, log, components, published, snapshots);
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
}
