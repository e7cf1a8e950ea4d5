// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.background;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.log.PublishedSeqno;
import io.github.rlsm.log.RecoveredLog;
import io.github.rlsm.log.SegmentFiles;
import io.github.rlsm.log.SegmentLayout;
import io.github.rlsm.memory.MembufferArrays;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.memory.SnapshotRegistry;
import io.github.rlsm.read.ReadState;
import io.github.rlsm.read.ReadStates;
import io.github.rlsm.table.Table;
import io.github.rlsm.thread.Environment;
import io.github.rlsm.thread.Scheduler;
import io.github.rlsm.valuelog.ValueLog;
import io.github.rlsm.version.Version;
import io.github.rlsm.versionset.PinCount;
import io.github.rlsm.versionset.VersionSet;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The data of an open store that is not flushed: memory components and the log segments that their
 * entries lie in. Creates components, publishes them in the read states, drains them, and reuses
 * their segments and arrays once they are flushed and no longer read.
 *
 * <p>Threads: any. All fields are constant after construction.
 */
public final class StoreMemory {

  /**
   * The dimensions of the log and of memory.
   *
   * @param segmentBytes length of a log segment of either stream
   * @param separationBytes length from which values go to the value log
   * @param shape shape of the largest memory component
   * @param sealedMax number of sealed components that may wait for a flush before writers block
   */
  public record Settings(
      int segmentBytes, int separationBytes, MemoryComponent.Shape shape, int sealedMax) {

    private static final int ENTRY_BYTES = 128;
    private static final int CAPACITY_MIN = 1024;

    /**
     * Returns the default capacity of the largest component: one entry for each
     * {@value #ENTRY_BYTES} bytes of its write-ahead segment.
     */
    public static int defaultCapacity(int segmentBytes) {
      return Math.max(CAPACITY_MIN, segmentBytes / ENTRY_BYTES);
    }

    /**
     * Returns the capacity of a component that begins with these segments. The component is full
     * when a segment is full or all its entries are used. So short segments need few entries, and a
     * segment of values needs fewer than one of short records.
     */
    int capacity(long walBytes, long valueBytes) {
      // Less than the default if an option asks for more entries.
      long entryBytes = Math.max(1, Math.min(ENTRY_BYTES, segmentBytes / shape.capacity()));
      long entries =
          Math.max(walBytes / entryBytes, valueBytes / Math.max(entryBytes, separationBytes));
      return (int) Math.min(shape.capacity(), Math.max(CAPACITY_MIN, entries));
    }
  }

  /**
   * The unflushed data that recovery found, before anything on disk is changed.
   *
   * @param log the log of the data
   * @param components the components rebuilt from the log, oldest first
   * @param published the published seqno, at the end of the log
   * @param snapshots an empty snapshot registry
   */
  public record Recovered(
      RecoveredLog log,
      List<MemoryComponent> components,
      PublishedSeqno published,
      SnapshotRegistry snapshots) {}

  private final Settings settings;
  private final Scheduler scheduler;
  private final PublishedSeqno published;
  private final SnapshotRegistry snapshots;
  private final long firstSeqno;
  private final ValueLog values;
  private final SegmentFiles segments;
  private final DeferredCleanup cleanup;
  private final GenerationPool pool;
  private final ReadStates readStates;

  /**
   * Takes over the recovered data.
   *
   * @param opened receives the resources that must be closed if the store cannot be opened
   */
  public StoreMemory(
      StoreFiles files,
      Recovered recovered,
      Settings settings,
      Environment environment,
      Deque<AutoCloseable> opened) {
    this.settings = settings;
    this.scheduler = environment.scheduler();
    this.published = recovered.published;
    this.snapshots = recovered.snapshots;
    this.firstSeqno = recovered.log.endSeqno();
    this.values = files.values();
    this.segments = segments(files, recovered.log, settings.segmentBytes, environment);
    opened.push(segments);
    this.cleanup = new DeferredCleanup(scheduler::flush, files.errors());
    opened.push(cleanup::run);
    this.pool = new GenerationPool(segments, values, files::deleteLater, settings);
    this.readStates = new ReadStates(files.versions(), files.reads(), pool::recycle, cleanup::add);
    files.limitMappings(readStates);
    for (MemoryComponent component : recovered.components) {
      values.add(component.log());
      readStates.push(component);
    }
  }

  private static SegmentFiles segments(
      StoreFiles files, RecoveredLog log, int segmentBytes, Environment environment) {
    StoreDirectory directory = files.directory();
    VersionSet<Table> versions = files.versions();
    Version version = versions.current();
    return new SegmentFiles(
        directory,
        new SegmentLayout.Heads(
            versions.storeId(), environment.random()::nextInt, versions::manifestPosition),
        segmentBytes,
        log,
        version.nextSegmentNumber(),
        version.firstGeneration());
  }

  // ----- components

  /** Creates and publishes the first active component. */
  public MemoryComponent begin() {
    MemoryComponent component = make(segments.begin(firstSeqno, 0, 0), 0);
    readStates.push(component);
    return component;
  }

  /**
   * Creates the component of a new generation, with room for at least {@code entriesMin} entries.
   */
  public MemoryComponent make(LogGeneration generation, int entriesMin) {
    values.add(generation);
    int capacity =
        settings.capacity(generation.file(false).length(), generation.file(true).length());
    MemoryComponent.Shape own = settings.shape.withCapacity(Math.max(capacity, entriesMin));
    return new MemoryComponent(generation, published, snapshots, own, pool.take(own.capacity()));
  }

  /**
   * Publishes a component as the newest.
   *
   * @param begin starts its generation; runs just before the publication, when no other step can
   *     fail
   */
  public void show(MemoryComponent component, Runnable begin) {
    readStates.push(component, begin);
  }

  /** Drops a generation whose component will not be published. Allocates nothing. */
  public void drop(LogGeneration generation) {
    values.drop(generation);
  }

  /** Records a written entry, and schedules a drain once per batch of entries. */
  public void written(MemoryComponent component, int entry) {
    if (component.wantsDraining(entry)) {
      scheduler.compact(() -> drain(component));
    }
  }

  /** Drains a component unless it has been flushed. */
  private void drain(MemoryComponent component) {
    int stripe = PinCount.stripe();
    ReadState state = readStates.pinOrNull(stripe);
    if (state != null) {
      try {
        if (state.memory().contains(component)) {
          component.drain();
        }
      } catch (StoreIoException e) {
        // A page of the log cannot be read. Every read of the component in key order reports the
        // error.
      } finally {
        state.unpin(stripe);
      }
    }
  }

  /** Returns the number of components that wait for their flush. */
  public int sealedCount() {
    return readStates.memory().size() - 1;
  }

  /**
   * Returns the unflushed data in components: one for each sealed component, however full it was,
   * plus the fill fraction of the active one. Writers stop when another component would exceed the
   * maximum.
   */
  double backlog() {
    List<MemoryComponent> memory = readStates.memory();
    MemoryComponent front = memory.get(0);
    double entries = (double) front.claimedEntries() / front.capacity();
    return memory.size() - 1 + Math.min(1, Math.max(entries, front.log().fill()));
  }

  /** Returns the heap bytes of all components, and of the spare arrays for the next ones. */
  public long heapBytes() {
    return pool.heapBytes()
        + readStates.memory().stream().mapToLong(MemoryComponent::heapBytes).sum();
  }

  /** Returns the end of the log, as readers see it: the seqno after the last reserved record. */
  public long tailSeqno() {
    return readStates.memory().get(0).log().endSeqno();
  }

  // ----- resources of components

  /** Prepares the segments and arrays of the next component. */
  void prepare() {
    pool.prepare();
  }

  /** Closes or recycles what readers have left. */
  public void runCleanup() {
    cleanup.run();
  }

  /** Releases the segments that only a busy store needs. */
  void trim() {
    pool.trim();
  }

  /** Releases all spare resources once what readers have left is recycled. */
  void trimAfterCleanup() {
    cleanup.add(pool::trim);
    cleanup.add(pool::dropArrays);
    cleanup.run();
  }

  /** Releases the spare memory of a store that is idle. */
  void whenIdle() {
    pool.dropArrays();
  }

  /** Closes the write-ahead segments of all components. */
  public void closeLogs() {
    readStates.memory().forEach(component -> component.log().file(false).close());
  }

  // ----- parts

  /** Returns the settings. */
  public Settings settings() {
    return settings;
  }

  /** Returns the end of the log when the store was opened. */
  public long firstSeqno() {
    return firstSeqno;
  }

  /** Returns the seqno below which all writes are visible. */
  public PublishedSeqno published() {
    return published;
  }

  /** Returns the registry of open snapshots. */
  public SnapshotRegistry snapshots() {
    return snapshots;
  }

  /** Returns the files of the log. */
  public SegmentFiles segments() {
    return segments;
  }

  /** Returns the read states of the store. */
  public ReadStates readStates() {
    return readStates;
  }

  /**
   * A pool of the resources of memory components: the segments of a generation and the large arrays
   * of a Membuffer. Prepares them in the background, and takes them back from components that are
   * flushed and no longer read.
   *
   * <p>Threads: any.
   */
  private static final class GenerationPool {

    /** The maximum number of pooled arrays. Each takes about 24 bytes per entry of capacity. */
    private static final int SPARE_MAX = 2;

    private final SegmentFiles segments;
    private final ValueLog values;
    private final Executor deleting;
    private final Settings settings;

    /** Arrays for the {@link #nextCapacity} at the time when they were kept. */
    @GuardedBy("itself")
    private final Deque<MembufferArrays> arrays = new ArrayDeque<>();

    GenerationPool(SegmentFiles segments, ValueLog values, Executor deleting, Settings settings) {
      this.segments = segments;
      this.values = values;
      this.deleting = deleting;
      this.settings = settings;
    }

    /** Prepares the resources of the next component, if the store is not idle. */
    void prepare() {
      if (!segments.prepare()) {
        return;
      }
      int capacity = nextCapacity();
      synchronized (arrays) {
        arrays.removeIf(each -> each.capacity() != capacity);
        if (!arrays.isEmpty()) {
          return;
        }
      }
      keep(MembufferArrays.forCapacity(capacity));
    }

    private int nextCapacity() {
      return settings.capacity(segments.nextBytes(false), segments.nextBytes(true));
    }

    /** Releases resources that only a busy store needs. */
    void trim() {
      segments.trim();
    }

    /** Drops the arrays for the next components. A store that is not idle needs them soon. */
    void dropArrays() {
      synchronized (arrays) {
        arrays.clear();
      }
    }

    /** Returns empty arrays of that capacity, or null if the pool has none. */
    @Nullable
    MembufferArrays take(int capacity) {
      synchronized (arrays) {
        MembufferArrays first = arrays.peekFirst();
        return first != null && first.capacity() == capacity ? arrays.pollFirst() : null;
      }
    }

    /** Returns the heap bytes of the pooled arrays. */
    long heapBytes() {
      synchronized (arrays) {
        return arrays.stream().mapToLong(MembufferArrays::heapBytes).sum();
      }
    }

    /** Takes back the resources of a flushed component. */
    void recycle(MemoryComponent component) {
      try {
        values.leftMemory(component.log(), deleting);
      } finally {
        segments.recycle(component.log());
      }
      MembufferArrays used = component.arrays();
      if (used.capacity() == nextCapacity()) {
        used.clear();
        keep(used);
      }
    }

    private void keep(MembufferArrays empty) {
      synchronized (arrays) {
        if (arrays.size() < SPARE_MAX) {
          arrays.addLast(empty);
        }
      }
    }
  }
}
