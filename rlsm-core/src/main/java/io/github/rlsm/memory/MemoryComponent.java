// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
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
 * The two memory tiers over one generation of the log; see the package documentation.
 *
 * <p>Threads: any. Writers and lookups take no lock. Draining takes a lock. A scan that finds the
 * lock taken waits, and then finds most of its work done (FloDB's piggybacked scans).
 *
 * <p>Invariant M-1: once the history is published up to the generation's end, the component no
 * longer changes, except that draining completes the Memtable.
 */
public final class MemoryComponent {

  /** The bound of a snapshot that sees every version. */
  public static final long LATEST = Long.MAX_VALUE;

  private final LogGeneration log;
  private final PublishedSeqno published;
  private final Membuffer membuffer;
  private final KeySource keys;
  private final Memtable memtable;
  private final KeySort sort;
  private final int drainBatch;

  private final ReentrantLock draining = new ReentrantLock();

  /** Entries that were claimed and seen, but were not filled yet. */
  @GuardedBy("draining")
  private int[] pending = new int[16];

  @GuardedBy("draining")
  private int pendingCount;

  private volatile int drained; // written under draining

  /** The fault that may have left the Memtable unsorted. */
  @GuardedBy("draining")
  private @Nullable RuntimeException unordered;

  /**
   * Creates an empty component.
   *
   * @param arrays empty arrays of the shape's capacity; null to allocate them here
   */
  public MemoryComponent(
      LogGeneration log,
      PublishedSeqno published,
      SnapshotRegistry snapshots,
      Shape shape,
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

  /** The large arrays, which may be reused once no thread reads this component. */
  public MembufferArrays arrays() {
    return membuffer.arrays();
  }

  /** The generation that holds this component's records. */
  public LogGeneration log() {
    return log;
  }

  /** Claims entry numbers for {@code count} insertions. Returns -1 if fewer are left. */
  public int claim(int count) {
    return membuffer.claim(count);
  }

  /** Abandons claimed entry numbers. The caller must hold an unpublished reservation in the log. */
  public void abandon(int first, int count) {
    membuffer.abandon(first, count);
  }

  /**
   * Allocates the memory that a number of insertions may need to keep old versions for snapshots.
   * Call this before the writer reserves its place in the log.
   */
  public void prepare(int insertions, OlderVersions.Spare spare) {
    membuffer.prepare(insertions, spare);
  }

  /**
   * Returns the reference to a version, for {@link #insert}.
   *
   * @param location the location of the version's record or operation in {@link #log()}
   */
  public long reference(int location, long seqno) {
    return Reference.of(seqno - log.baseSeqno(), location);
  }

  /**
   * Inserts a version of a key. Allocates nothing after {@link #prepare}, unless the first snapshot
   * was opened in between.
   *
   * @param entry a claimed entry number
   * @param hash {@link io.github.rlsm.base.KeyHash} of the key
   * @param reference the {@link #reference} to the version
   * @param spare memory that {@link #prepare} allocated; empty if the caller may allocate
   */
  public void insert(
      int entry, byte[] key, int keyLength, long hash, long reference, OlderVersions.Spare spare) {
    membuffer.insert(entry, key, keyLength, hash, reference, spare);
  }

  /**
   * Looks up a key. Waits for the writes before the version that it finds, since their records may
   * not be stored yet. If the process died then, recovery would stop at the first missing record,
   * and lose a version that was read. If the version is in a batch, this also waits for the rest of
   * the batch, which is visible as a whole.
   *
   * @param end versions with seqnos below this are visible; {@link #LATEST} for all
   * @return whether there is a visible version, which may be a tombstone; it is put into
   *     {@code found}
   */
  public boolean find(byte[] key, int keyLength, long hash, long end, EntryView found) {
    if (isEmpty()) {
      return false; // common while the store is idle; probing the slots would cost a cache miss
    }
    int entry = membuffer.find(key, keyLength, hash);
    if (entry < 0) {
      return false;
    }
    long reference = membuffer.visible(entry, end);
    if (reference == Reference.NONE) {
      return false;
    }
    published.awaitSettled(membuffer.seqno(reference) + 1);
    int location = Reference.location(reference);
    ByteBuffer segment = log.segmentOf(location);
    int keyOffset = RecordLayout.keyOffset(segment, location);
    found.set(
        segment,
        RecordLayout.entryKind(segment, location),
        keyOffset + keyLength,
        RecordLayout.valueLength(segment, location, keyOffset, keyLength));
    return true;
  }

  /**
   * Returns the seqno of the newest version of a key, published or not; -1 if there is none. Never
   * waits.
   */
  public long newestSeqno(byte[] key, int keyLength, long hash) {
    int entry = membuffer.find(key, keyLength, hash);
    long reference = entry < 0 ? Reference.NONE : membuffer.newest(entry);
    return Reference.isVersion(reference) ? membuffer.seqno(reference) : -1;
  }

  /**
   * Returns whether enough entries were written since the last drain to make another one
   * worthwhile. Asked after each entry, this is true at most once for each batch of entries.
   */
  public boolean wantsDraining(int entry) {
    return entry % drainBatch == drainBatch - 1 && membuffer.claimed() - drained >= drainBatch;
  }

  /** Inserts all entries that are filled so far into the Memtable. */
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

  /** Drains the pending entries, and at most one batch of the entries after them. */
  @GuardedBy("draining")
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
   * read has faulted, the Memtable may be unsorted, and no thread may read it any more.
   */
  @GuardedBy("draining")
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
   * Returns cursors that together show what a snapshot sees, each key once. Everything below
   * {@code end} must be settled.
   */
  public List<MemoryCursor> cursors(long end, boolean descending) {
    drain();
    List<MemoryCursor> cursors = new ArrayList<>();
    for (Memtable.Sequence sequence : memtable.sequences(descending)) {
      cursors.add(new MemoryCursor(membuffer, sequence, end));
    }
    return cursors;
  }

  /**
   * Returns the newest version of every key, in key order. For the flush of a sealed and published
   * component.
   */
  public MemoryCursor inOrder() {
    drain();
    return new MemoryCursor(membuffer, memtable.inOrder(), LATEST);
  }

  /** The number of claimed entry numbers; at least the number of keys. */
  public int claimedEntries() {
    return membuffer.claimed();
  }

  /** The number of entry numbers that can be claimed. */
  public int capacity() {
    return membuffer.capacity();
  }

  /** Returns whether nothing was written. */
  public boolean isEmpty() {
    return membuffer.claimed() == 0;
  }

  /** Heap bytes of the component, without the segments of the log. */
  public long heapBytes() {
    return membuffer.heapBytes() + memtable.heapBytes();
  }

  /** The implementations of the sorted memory tier. */
  public enum MemtableStructure {
    /** {@link SortedRunsMemtable}. */
    SORTED_RUNS,
    /** {@link SkipListMemtable}. */
    SKIP_LIST,
    /** {@link MultiInsertMemtable}. */
    MULTI_INSERT
  }

  /**
   * The parameters of a memory component.
   *
   * @param kind the kind of Memtable
   * @param capacity the number of entry numbers that can be claimed
   * @param drainBatch the number of entries from which a background drain is worthwhile
   * @param seed the random seed for node heights in the multi-insert skip list
   */
  public record Shape(MemtableStructure kind, int capacity, int drainBatch, long seed) {

    /** Returns the same shape with another capacity, which is drained in at least four batches. */
    public Shape withCapacity(int entries) {
      return new Shape(kind, entries, Math.min(drainBatch, Math.max(16, entries / 4)), seed);
    }
  }
}
