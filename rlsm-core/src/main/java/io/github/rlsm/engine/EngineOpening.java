// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.background.BackgroundWork;
import io.github.rlsm.background.FlightRecorder;
import io.github.rlsm.background.StoreFiles;
import io.github.rlsm.background.StoreMemory;
import io.github.rlsm.base.CommitDependencies;
import io.github.rlsm.base.PartHeader;
import io.github.rlsm.base.PartTail;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.FormatVersionException;
import io.github.rlsm.kv.InvalidOptionsException;
import io.github.rlsm.log.DurableSeqno;
import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.log.LogRecovery;
import io.github.rlsm.log.LogStart;
import io.github.rlsm.log.PublishedSeqno;
import io.github.rlsm.log.RecordLayout;
import io.github.rlsm.log.RecoveredLog;
import io.github.rlsm.logdevice.DirectLog;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.memory.MemoryRebuilder;
import io.github.rlsm.memory.SnapshotRegistry;
import io.github.rlsm.thread.Environment;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.Version;
import io.github.rlsm.versionset.ManifestRecovery;
import io.github.rlsm.versionset.VersionSet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Opens an engine: reads the manifest and the log, and then creates the sides of the engine. A log
 * device restores lost bytes of segments. Segments that may not be durable are replaced by forced
 * copies, and {@link #survey} writes a new manifest.
 *
 * <p>One of several stores that share cross-shard batches is opened in two steps. First each store
 * reports its parts ({@link #survey}). Then the caller, who knows the parts of all stores, decides
 * where each history ends ({@link #open(long, CommitDependencies)}).
 *
 * <p>If a step fails, {@link #abandon} closes everything that earlier steps opened, in reverse
 * order.
 *
 * <p>Threads: one at a time.
 */
public final class EngineOpening implements AutoCloseable {

  private final StoreDirectory directory;
  private final Settings settings;
  private final Environment environment;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final StoreDirectory.Lock lock;
  private ManifestRecovery.Recovered manifest;

  /** Whether the log was read once, which makes all of it durable. */
  private boolean isLogCopied;

  /** Whether the store was opened or released, so {@link #close} has nothing to do. */
  private boolean isOver;

  /**
   * Locks the directory and reads its manifest.
   *
   * @throws io.github.rlsm.kv.KvException if it cannot be opened; then all resources are released
   */
  public EngineOpening(StoreDirectory directory, Settings settings, Environment environment) {
    this.directory = directory;
    this.settings = settings;
    this.environment = environment;
    opened.push(directory);
    opened.push(environment.scheduler());
    try {
      lock = directory.lock();
      opened.push(lock);
      manifest = readManifest();
      DirectLog.recover(
          directory,
          manifest.storeId(),
          manifest.version().firstGeneration(),
          settings.directLog());
    } catch (RuntimeException | Error e) {
      abandon(e);
      throw e;
    }
  }

  /**
   * Opens a store that is not a shard.
   *
   * @throws FormatVersionException if the store is a shard, which must be opened with the others
   */
  static Engine open(StoreDirectory directory, Settings settings, Environment environment) {
    EngineOpening opening = new EngineOpening(directory, settings, environment);
    try {
      StoreMemory.Recovered recovered = opening.recover(LogRecovery.TO_THE_END);
      if (recovered.log().generations().stream().anyMatch(log -> log.lastPart() > 0)) {
        throw new FormatVersionException(
            directory.path(),
            "its log holds parts of cross-shard batches, so it is a shard; open the store that it"
                + " belongs to");
      }
      return opening.proceed(recovered, CommitDependencies.NONE);
    } catch (RuntimeException | Error e) {
      opening.abandon(e);
      throw e;
    }
  }

  /**
   * Finds the store's parts of cross-shard batches. Makes the log up to the last part durable,
   * unless it is known to be: a crashed process may have written parts without forcing them. Makes
   * the manifest durable too, because it says which parts are in tables.
   */
  public PartTail survey() {
    List<PartTail.Part> parts = new ArrayList<>();
    RecoveredLog.Visitor visitor = new RecoveredLog.Visitor() {
      @Override
      public void generation(LogGeneration generation) {}

      @Override
      public void entry(int location, long seqno) {}

      @Override
      public void part(PartHeader header, long seqno) {
        parts.add(new PartTail.Part(header, seqno));
      }
    };
    LogRecovery.read(directory, manifest.storeId(), start(), visitor).close();
    isLogCopied = true;
    if (!manifest.newStore()) {
      manifest = VersionSet.rewrite(directory, manifest);
    }
    return new PartTail(manifest.version().partsGsn(), parts);
  }

  /**
   * Opens the store as one of several. Releases everything if that fails.
   *
   * @param end the seqno of the part before which the history ends, durably;
   *     {@link LogRecovery#TO_THE_END} to keep the whole history
   * @param dependencies the other stores
   */
  public Engine open(long end, CommitDependencies dependencies) {
    try {
      Engine engine = proceed(recover(end), dependencies);
      isOver = true;
      return engine;
    } catch (RuntimeException | Error e) {
      isOver = true;
      abandon(e);
      throw e;
    }
  }

  /** Releases the store unless it was opened. */
  @Override
  public void close() {
    if (!isOver) {
      isOver = true;
      RuntimeException failure =
          new IllegalStateException("a store that was not opened failed to close");
      abandon(failure);
      if (failure.getSuppressed().length > 0) {
        throw failure;
      }
    }
  }

  /**
   * Creates the engine from the result of {@link #recover}: one side after the other, each from
   * those before it. Starts its background work last.
   */
  private Engine proceed(StoreMemory.Recovered recovered, CommitDependencies dependencies) {
    StoreFiles files =
        new StoreFiles(directory, lock, manifest, settings.files(), environment, opened);
    DirectLog.retire(directory, manifest.storeId(), settings.directLog(), environment.random());
    StoreMemory memory = new StoreMemory(files, recovered, settings.memory(), environment, opened);
    LogForce force = new LogForce(
        memory.readStates(), memory.published(), files.errors(), logDevice(memory, recovered));
    CommittedSeqno committed = committed(files, force, dependencies);
    BackgroundWork background =
        new BackgroundWork(files, memory, dependencies, settings.background(), environment);
    Engine engine =
        new Engine(files, memory, force, committed, background, environment.nanoClock());
    background.start(engine.active::shrinkLog);
    return engine;
  }

  /** Opens the log device. Returns null if the store has none. */
  private @Nullable DirectLog logDevice(StoreMemory memory, StoreMemory.Recovered recovered) {
    DirectLog device = DirectLog.open(
        directory,
        manifest.storeId(),
        settings.directLog(),
        memory.published(),
        environment.random());
    if (device != null) {
      opened.push(device);
      memory.segments().expectNoForces(recovered.log().generations());
    }
    return device;
  }

  private CommittedSeqno committed(
      StoreFiles files, LogForce force, CommitDependencies dependencies) {
    // Do not use the end of the recovered log: after a crash of the process alone, it was never
    // forced.
    long durable = files.versions().current().flushedSeqno();
    return new CommittedSeqno(
        new DurableSeqno(durable, force::force, environment.nanoClock()),
        dependencies,
        files.errors());
  }

  /** Closes everything that was opened. Attaches exceptions to the cause. */
  private void abandon(Throwable cause) {
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception e) {
        cause.addSuppressed(e);
      }
    }
  }

  private ManifestRecovery.Recovered readManifest() {
    ManifestRecovery.Recovered found = ManifestRecovery.recover(directory);
    if (found.newStore()) {
      return found.withStoreId(environment.random().nextLong(), settings.shapeOptions());
    }
    checkOptions(found.version().options());
    return found;
  }

  private LogStart start() {
    Version version = manifest.version();
    Set<Integer> sealed =
        version.segments().stream().map(SegmentAccount::number).collect(Collectors.toSet());
    return new LogStart(
        version.flushedSeqno(),
        version.firstGeneration(),
        version.durableSeqno(),
        isLogCopied ? Long.MAX_VALUE : version.durableSeqno(),
        sealed,
        manifest.position());
  }

  /**
   * Reads the log into memory.
   *
   * @param end the history ends before the record with this seqno at the latest;
   *     {@link LogRecovery#TO_THE_END} to read the whole log
   */
  private StoreMemory.Recovered recover(long end) {
    Version version = manifest.version();
    PublishedSeqno published = new PublishedSeqno(version.flushedSeqno());
    SnapshotRegistry snapshots = new SnapshotRegistry();
    MemoryRebuilder rebuilder = new MemoryRebuilder(
        published, snapshots, settings.memory().shape(), version.keyspaces().nextId());
    RecoveredLog log = LogRecovery.read(directory, manifest.storeId(), start(), end, rebuilder);
    opened.push(log);
    List<MemoryComponent> components = rebuilder.finish();
    published.publish(version.flushedSeqno(), log.endSeqno());
    long replayed = (log.endSeqno() - version.flushedSeqno()) * RecordLayout.UNIT;
    FlightRecorder.recovery(log.generations().size(), replayed, log.droppedBytes());
    return new StoreMemory.Recovered(log, components, published, snapshots);
  }

  private void checkOptions(Map<String, String> stored) {
    List<String> problems = new ArrayList<>();
    settings.shapeOptions().forEach((name, value) -> {
      String before = stored.get(name);
      if (before != null && !before.equals(value)) {
        problems.add(name + " is " + value + ", but the store was made with " + before
            + "; this option cannot be changed");
      }
    });
    if (!problems.isEmpty()) {
      throw new InvalidOptionsException(problems);
    }
  }

  /**
   * The settings of an engine. The store's options create and check them, and each side of the
   * engine gets its part.
   *
   * @param files how tables and the manifest are written and read
   * @param memory dimensions of the log and of memory
   * @param background when to flush, compact, collect and throttle
   * @param directLog where the log is made durable
   * @param shapeOptions the options that shape the files, by name, as stored in the manifest
   */
  public record Settings(
      StoreFiles.Settings files,
      StoreMemory.Settings memory,
      BackgroundWork.Settings background,
      DirectLog.Settings directLog,
      Map<String, String> shapeOptions) {

    /** Copies the map. */
    public Settings {
      shapeOptions = Map.copyOf(shapeOptions);
    }
  }
}
