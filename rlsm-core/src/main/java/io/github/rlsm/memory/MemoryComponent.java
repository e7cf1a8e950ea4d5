// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import io.github.rlsm.base.EntryView;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.log.PublishedSeqno;
import io.github.rlsm.log.RecordLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The memory tiers over one generation of the log, see the package's description.
 *
 * <p>Threads: any. Writers and lookups take no lock. Draining takes one; a scan that finds it taken
 * waits and then mostly finds its work done (FloDB's piggybacked scans).
 *
 * <p>Invariant M-1: once the history is published up to the generation's end, the component does
 * not change any more, except that draining completes the Memtable.
 */
public final class MemoryComponent {

  /** A snapshot that sees everything. */
  public static final long LATEST = Long.MAX_VALUE;

  private final LogGeneration log;
  private final PublishedSeqno published;
  private final Membuffer membuffer;
  private final KeySource keys;
  private final Memtable memtable;
  private final KeySort sort;
  private final int drainBatch;

  private final ReentrantLock draining = new ReentrantLock();
  private int[] pending = new int[16]; // guarded by draining: claimed, looked at, not yet filled
  private int pendingCount; // guarded by draining
  private volatile int drained; // written under draining

  /** Guarded by draining: the fault that may have left the Memtable out of order. */
  private @Nullable RuntimeException unordered;

  /**
   * An empty component.
   *
   * @param arrays empty arrays of the shape's capacity; null to make them here
   */
  public MemoryComponent(
      LogGeneration log,
      PublishedSeqno published,
      SnapshotRegistry snapshots,
      MemoryShape shape,
      @Nullable MembufferArrays arrays) {
    this.log = log;
    this.published = published;
    MembufferArrays own = arrays == null ? MembufferArrays.forCapacity(shape.capacity()) : arrays;
    this.membuffer = new Membuffer(log, snapshots, own);
    this.keys = new KeySource(membuffer);
    this.sort = new KeySort(keys);
    this.drainBatch = shape.drainBatch();
    this.memtable = switch (shape.kind()) {
      case SORTED_RUNS -> new SortedRunsMemtable(keys);
      case SKIP_LIST -> new SkipListMemtable(keys);
      case MULTI_INSERT -> new MultiInsertMemtable(keys, shape.seed());
    };
  }

  /** The large arrays, to be used again once nobody reads this component any more. */
  public MembufferArrays arrays() {
    return membuffer.arrays();
  }

  /** The generation that holds this component's records. */
  public LogGeneration log() {
    return log;
  }

  /** Takes entry numbers for {@code count} insertions; -1 if there are not so many left. */
  public int claim(int count) {
    return membuffer.claim(count);
  }

  /** Gives up numbers that were taken, by whoever holds an unpublished place in the log. */
  public void abandon(int first, int count) {
    membuffer.abandon(first, count);
  }

  /**
   * Allocates what so many insertions may need to keep old versions for snapshots: to be called
   * before the writer reserves its place in the log.
   */
  public void prepare(int insertions, SpareVersions spare) {
    membuffer.prepare(insertions, spare);
  }

  /** Inserts a version of a key, as the other one; may allocate. */
  public void insert(int entry, byte[] key, int keyLength, long hash, int location, long seqno) {
    insert(entry, key, keyLength, hash, location, seqno, SpareVersions.NONE);
  }

  /**
   * Inserts a version of a key.
   *
   * @param entry a claimed number
   * @param hash {@link io.github.rlsm.base.KeyHash} of the key
   * @param location the location of its record or operation in {@link #log()}
   * @param spare memory that {@link #prepare} set aside
   */
  public void insert(
      int entry,
      byte[] key,
      int keyLength,
      long hash,
      int location,
      long seqno,
      SpareVersions spare) {
    long reference = Reference.of(seqno - log.baseSeqno(), location);
    membuffer.insert(entry, key, keyLength, hash, reference, spare);
  }

  /**
   * Looks a key up.
   *
   * @param end seqnos below this are seen; {@link #LATEST} for all
   * @return whether there is a version, be it a tombstone; it is put into {@code found}
   */
  public boolean find(byte[] key, int keyLength, long hash, long end, EntryView found) {
    if (isEmpty()) {
      return false; // as when nobody writes: a look at the slots would be a cache miss for nothing
    }
    int entry = membuffer.find(key, keyLength, hash);
    if (entry < 0) {
      return false;
    }
    long reference = membuffer.visible(entry, end);
    if (reference == Reference.NONE) {
      return false;
    }
    int location = Reference.location(reference);
    long seqno = membuffer.seqno(reference);
    if (RecordLayout.inBatch(location)) {
      // Nobody sees a part of a batch: whoever meets one of its operations early waits for the
      // rest.
      published.awaitSettled(seqno + 1);
    }
    ByteBuffer segment = log.segmentOf(location);
    int keyOffset = RecordLayout.keyOffset(segment, location);
    found.set(
        segment,
        RecordLayout.entryKind(segment, location),
        seqno,
        keyOffset + keyLength,
        RecordLayout.valueLength(segment, location, keyOffset, keyLength));
    return true;
  }

  /** Seqno of the newest version of a key, published or not; -1 if there is none. Never waits. */
  public long newestSeqno(byte[] key, int keyLength, long hash) {
    int entry = membuffer.find(key, keyLength, hash);
    long reference = entry < 0 ? Reference.NONE : membuffer.newest(entry);
    return Reference.isVersion(reference) ? membuffer.seqno(reference) : -1;
  }

  /** Whether enough has been written since the last drain to make another worth while. */
  public boolean wantsDraining() {
    return membuffer.claimed() - drained >= drainBatch;
  }

  /** Moves everything that is filled so far into the Memtable. */
  public void drain() {
    draining.lock();
    try {
      int end = membuffer.claimed();
      while (drained < end) {
        drainBatch();
      }
      if (pendingCount > 0) {
        drainBatch();
      }
    } finally {
      draining.unlock();
    }
  }

  /** Drains what was pending and up to a batch of what came after. */
  private void drainBatch() {
    int to = Math.min(membuffer.claimed(), drained + drainBatch);
    int[] batch = new int[pendingCount + to - drained];
    int[] stillPending = new int[batch.length];
    int count = 0;
    int waiting = 0;
    for (int i = 0; i < batch.length; i++) {
      int entry = i < pendingCount ? pending[i] : drained + i - pendingCount;
      long reference = membuffer.newest(entry);
      if (Reference.isVersion(reference)) {
        batch[count++] = entry;
      } else if (reference == Reference.NONE) {
        stillPending[waiting++] = entry;
      }
    }
    if (count > 0) {
      insertSorted(batch, count);
    }
    pending = Arrays.copyOf(stillPending, waiting);
    pendingCount = waiting;
    drained = to;
  }

  /**
   * Inserts entries into the Memtable, which compares keys that it reads from the log. If such a
   * read has faulted, the Memtable may be out of order, and nothing may read it any more.
   */
  private void insertSorted(int[] batch, int count) {
    if (unordered != null) {
      throw unordered;
    }
    try {
      try {
        memtable.insert(sort.sort(batch, count));
      } finally {
        MappedFaults.check();
      }
    } catch (InternalError e) {
      unordered = MappedFaults.explain(e);
      throw unordered;
    }
  }

  /**
   * Cursors that together show what a snapshot sees, each key once. Everything below {@code end}
   * must be settled.
   */
  public List<MemoryCursor> cursors(long end, boolean descending) {
    drain();
    List<MemoryCursor> cursors = new ArrayList<>();
    for (EntrySequence sequence : memtable.sequences(descending)) {
      cursors.add(new MemoryCursor(membuffer, sequence, end));
    }
    return cursors;
  }

  /** The newest version of every key in order, for a flush of a sealed, published component. */
  public MemoryCursor inOrder() {
    drain();
    return new MemoryCursor(membuffer, memtable.inOrder(), LATEST);
  }

  /** Entry numbers taken; never less than the keys held. */
  public int claimedEntries() {
    return membuffer.claimed();
  }

  /** Entry numbers there are. */
  public int capacity() {
    return membuffer.capacity();
  }

  /** Whether nothing was written. */
  public boolean isEmpty() {
    return membuffer.claimed() == 0;
  }

  /** Heap bytes held; the log's segments come on top. */
  public long heapBytes() {
    return membuffer.heapBytes() + memtable.heapBytes();
  }

  /** Old versions kept for snapshots. */
  public int olderVersionCount() {
    return membuffer.olderVersionCount();
  }
}
