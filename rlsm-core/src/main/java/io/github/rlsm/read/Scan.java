// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import static java.util.Objects.requireNonNull;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.KeyOrder;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.kv.KvException;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.table.Table;
import io.github.rlsm.table.Table.Wanted;
import io.github.rlsm.valuelog.ValueReader;
import io.github.rlsm.versionset.LivePartition;
import io.github.rlsm.versionset.PinnedVersion;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A scan over a key range of a snapshot handle, without tombstones.
 *
 * <p>Reads entries in batches, so that the guard against a concurrent close is entered once per
 * batch and not once per entry. A scan with a low limit reads all its entries in one batch. The
 * first batches of other scans are small, so that a scan which ends early reads few entries in
 * excess.
 *
 * <p>Threads: one thread at a time, except that any thread may close the scan or the store at any
 * time.
 */
public final class Scan implements AutoCloseable {

  /**
   * The size of the first batch of a scan without a low limit. Each further batch may be twice as
   * large.
   */
  private static final int COUNT_FIRST = 8;

  /**
   * The size of the first batch if values are expected on the device and are prefetched together.
   */
  private static final int COUNT_FIRST_COLD = 32;

  /** The maximum number of values that are prefetched beyond a batch. */
  private static final int AHEAD_COUNT_MAX = 2 * ScanBatch.COUNT_MAX;

  /**
   * The time for the entries of a batch, without seeks, relative to the time that a merge of its
   * runs would save. An estimate: in memory, the medians of scans of 1,000 entries were 186 to 192
   * µs before merges of ten runs, and 161 to 166 µs after them.
   */
  private static final int ENTRIES_SHARE = 6;

  /** The longest time for each entry of a batch that counts as caused by one of several runs. */
  private static final long ENTRY_NANOS_MAX = 40;

  /**
   * The steps of reading a batch. HotSpot inlines a call where it has seen at most two classes of
   * receivers, so it compiles each of these for itself. In one piece, they took C2 up to 1.2 s and
   * 33 MB, again for each first entry in memory or first value on the device. Until then scans ran
   * unoptimized.
   */
  private enum Step {
    OPEN(Scan::open),
    MOVE(Scan::move),
    COLLECT(Scan::collectAndCopy),
    CHARGE(Scan::chargeExtraRuns),
    TOUCH(Scan::touch),
    REQUEST(Scan::request);

    @SuppressWarnings("ImmutableEnumChecker") // a method reference has no state
    private final Consumer<Scan> code;

    Step(Consumer<Scan> code) {
      this.code = code;
    }
  }

  private final Scans scans;
  private final SnapshotHandle handle;
  private final KeyRange range;
  private final boolean descending;
  private final boolean keysOnly;
  private final boolean limited;
  private final ScanBatch batch = ScanBatch.take();
  private @Nullable EntryCursor cursor;
  private @Nullable KvException failure;
  private int entry = -1;

  /** The last thread that read from the scan. */
  private @Nullable Thread reader;

  /** Whether this batch is the first one. */
  private boolean isFirst;

  /** Whether the cursor requested pages before it sought the first key. */
  private boolean requestsPages;

  /** Whether the cursor is on an entry, the first one of the batch. */
  private boolean hasEntry;

  // When reading of the batch began, and when the first key was found in all runs. Only the first
  // batch seeks.
  private long began;
  private long seekEnd;

  private int wanted; // size of the next batch; at most ScanBatch.COUNT_MAX
  private long left;
  private boolean ended;

  /** The entry of this batch up to which values were touched. */
  private int touchedEnd;

  /** Keeps the compiler from removing the touching reads. */
  @SuppressWarnings("UnusedVariable")
  private int touched;

  private final ScanEnd end;

  Scan(Scans scans, SnapshotHandle handle, Scans.Request request) {
    this.scans = scans;
    this.handle = handle;
    this.range = request.range();
    this.descending = request.descending();
    this.keysOnly = request.keysOnly();
    this.left = request.limit();
    this.limited = left != Long.MAX_VALUE;
    boolean cold = !keysOnly && scans.coldValues().areExpected();
    this.wanted = cold ? COUNT_FIRST_COLD : COUNT_FIRST;
    if (left <= ScanBatch.COUNT_MAX) {
      wanted = ScanBatch.COUNT_MAX; // the caller probably reads as far as the limit: one batch
    }
    this.end = new ScanEnd(range, descending);
  }

  /** Moves to the next entry. Returns whether one exists. */
  public boolean next() {
    check();
    if (++entry < batch.count()) {
      return true;
    }
    entry = 0;
    KvException met = failure;
    if (met != null) {
      batch.clear();
      throw met;
    }
    return fill();
  }

  private boolean fill() {
    int stripe = enter();
    try {
      reader = Thread.currentThread();
      batch.clear();
      touchedEnd = 0; // also if the batch ends at an error, before its values are touched
      if (ended || left == 0) {
        return false;
      }
      try {
        readBatch();
      } catch (KvException e) {
        // Entries before the error are returned first. After them, every call throws the error.
        failure = e;
        if (batch.count() == 0) {
          throw e;
        }
      }
      left -= batch.count();
      wanted = Math.min(2 * wanted, ScanBatch.COUNT_MAX);
      return batch.count() > 0;
    } finally {
      leave(stripe);
    }
  }

  private void readBatch() {
    try {
      try {
        read();
        if (!keysOnly) {
          MappedFaults.check(); // before a pointer is followed: see Lookup
          askForValues();
        }
      } finally {
        MappedFaults.check();
      }
    } catch (InternalError e) {
      batch.clear(); // its entries may be garbage
      throw MappedFaults.explain(e);
    } catch (IndexOutOfBoundsException | NegativeArraySizeException e) {
      batch.clear();
      throw MappedFaults.explain(e);
    }
  }

  private void read() {
    began = scans.nanos();
    isFirst = cursor == null;
    if (isFirst) {
      run(Step.OPEN);
    }
    run(Step.MOVE);
    run(Step.COLLECT);
    if (batch.count() > 0) {
      run(Step.CHARGE);
    }
  }

  private void run(Step step) {
    step.code.accept(this);
  }

  /**
   * Opens the cursor. If pages are expected on the device, the cursor requests those of the first
   * entries from all runs together, before it waits for one of them.
   */
  private void open() {
    requestsPages = scans.coldPages().isWorthAsking();
    long atOnce = !requestsPages ? 0 : limited ? left : COUNT_FIRST_COLD;
    cursor = handle.state().cursor(handle.end(), range, descending, new Wanted(left, atOnce));
  }

  /** Moves the cursor to the first entry of the batch. */
  private void move() {
    EntryCursor all = requireNonNull(cursor);
    hasEntry = isFirst ? first(all) : all.next();
    seekEnd = isFirst ? scans.nanos() : began;
    if (isFirst && !requestsPages) {
      scans.coldPages().noteRead(1, seekEnd - began);
    }
  }

  private void collectAndCopy() {
    try {
      collect(requireNonNull(cursor));
    } finally {
      batch.copy();
    }
  }

  /**
   * Charges the level and the partition where the batch begins for the runs in which the scan had
   * to look for the batch's first key. One run is free. Each run is assumed to take the same part
   * of the time.
   */
  private void chargeExtraRuns() {
    PinnedVersion<Table> files = handle.state().files();
    int key = batch.keyStart(0);
    int length = batch.keyEnd(0) - key;
    int inL0 = 0;
    for (int i = 0; i < files.l0Count(); i++) {
      inL0 += files.l0Keys(i).contain(batch.bytes(), key, key + length) ? 1 : 0;
    }
    LivePartition<Table> partition = files.partitionFor(batch.bytes(), key, length);
    int inPartition = partition == null ? 0 : partition.runsAt(batch.bytes(), key, length);
    int extra = inL0 + Math.max(0, inPartition - 1);
    if (extra == 0) {
      return;
    }
    long most = (isFirst ? PinnedVersion.SEEK_NANOS : 0) + batch.count() * ENTRY_NANOS_MAX;
    long entriesNanos = scans.nanos() - seekEnd;
    long each = (seekEnd - began + entriesNanos / ENTRIES_SHARE) / (extra + 1L);
    each = Math.max(PinnedVersion.SEEK_NANOS_MIN, Math.min(most, each));
    if (partition != null && extra > inL0) {
      partition.countExtraSeeks((extra - inL0) * each);
    }
    scans.countSeeks(files, inL0 * each, extra * each);
  }

  private void collect(EntryCursor all) {
    boolean more = hasEntry;
    while (more) {
      CursorEntry found = all.entry();
      if (end.isBefore(found)) {
        break;
      }
      if (found.kind() != EntryKind.DELETE) {
        batch.add(found, !keysOnly);
        if (batch.count() >= Math.min(wanted, left) || !batch.hasRoom()) {
          return;
        }
      }
      more = all.next();
    }
    ended = true;
  }

  /**
   * Fetches the batch's values from the value log together instead of one after the other. If
   * values are expected on the device, the kernel prefetches them (WiscKey section 3.3.1, which
   * uses threads). Otherwise they are touched in memory, until one touch waits for the device.
   */
  private void askForValues() {
    run(batch.areAhead() || scans.coldValues().isWorthAsking() ? Step.REQUEST : Step.TOUCH);
  }

  /** Touches the next few values of the batch together, and takes the time. */
  private void touch() {
    int from = touchedEnd;
    touchedEnd = Math.min(batch.count(), from + ValueGroup.COUNT_MAX);
    if (touch(from, touchedEnd) && scans.coldValues().areExpected()) {
      run(Step.REQUEST);
    }
  }

  /** Returns whether some of the values were not in memory. */
  private boolean touch(int from, int to) {
    int values = 0;
    long began = 0;
    for (int i = from; i < to; i++) {
      if (batch.isPointer(i)) {
        began = values++ == 0 ? scans.nanos() : began;
        touched += scans.values().touch(batch.pointer(i));
      }
    }
    return values > 0 && scans.coldValues().noteRead(values, scans.nanos() - began);
  }

  /** Prefetches the next values of the batch that were not touched. */
  private void request() {
    RequestWindow requests = batch.requests();
    ValueRanges ranges = batch.ranges();
    ranges.clear();
    requests.advance(batch, touchedEnd, RequestWindow.stepBytes(scans.openCount()), ranges);
    if (ranges.count() > 0) {
      long ahead = requests.hasAll(batch) ? wantedAhead() : 0;
      countStrayValues(ranges.ask(scans.values(), ahead, descending));
    }
  }

  /**
   * The number of values to prefetch beyond this batch. Without a limit the caller may stop at any
   * entry. Then nothing is read ahead of the first batch.
   */
  private long wantedAhead() {
    if (!limited) {
      return batch.count() > COUNT_FIRST_COLD ? batch.count() : 0;
    }
    return Math.min(left - batch.count(), AHEAD_COUNT_MAX);
  }

  /**
   * Charges the fetched ranges to the partition where the batch begins. One range for each
   * partition is free, because relocated values would also need one.
   */
  private void countStrayValues(int ranges) {
    PinnedVersion<Table> files = handle.state().files();
    int first = partition(files, 0);
    int last = partition(files, batch.count() - 1);
    int stray = ranges - 1 - Math.abs(last - first);
    if (first >= 0 && stray > 0) {
      files.partition(first).countStrayValues(stray);
      scans.countSeeks(files, 0, stray * PinnedVersion.SEEK_NANOS);
    }
  }

  private int partition(PinnedVersion<Table> files, int index) {
    int key = batch.keyStart(index);
    return files.version().floorPartition(batch.bytes(), key, batch.keyEnd(index) - key);
  }

  private boolean first(EntryCursor opened) {
    byte[] start = descending ? range.to() : range.from();
    if (range.isEmpty()) {
      return false;
    }
    if (start == null) {
      return opened.seekFirst();
    }
    boolean found = opened.seek(start, 0, start.length);
    // The upper bound is exclusive: a descending scan that finds it starts at the next entry.
    boolean standsOnEnd = found && descending && isKey(opened.entry(), start);
    return standsOnEnd ? opened.next() : found;
  }

  private static boolean isKey(CursorEntry found, byte[] key) {
    return KeyOrder.equal(key, 0, key.length, found.buffer(), found.keyOffset(), found.keyLength());
  }

  /** Returns the current internal key without its first {@code skip} bytes, in a new array. */
  public byte[] key(int skip) {
    return Arrays.copyOfRange(batch.bytes(), batch.keyStart(entry) + skip, batch.keyEnd(entry));
  }

  /**
   * Copies as much as fits of the current internal key without its first {@code skip} bytes.
   * Returns the length of the key without these bytes.
   */
  public int key(int skip, ByteBuffer destination) {
    int start = batch.keyStart(entry) + skip;
    int length = batch.keyEnd(entry) - start;
    destination.put(batch.bytes(), start, Math.min(length, destination.remaining()));
    return length;
  }

  /** Returns the current value, in a new array. */
  public byte[] value() {
    int start = batch.keyEnd(entry);
    int length = batch.valueLength(entry);
    ByteBuffer place = batch.place(entry);
    if (place == null && !batch.isPointer(entry)) {
      return Arrays.copyOfRange(batch.bytes(), start, start + length);
    }
    if (place == null && readGroup()) {
      return batch.values().copy(entry);
    }
    int stripe = enter();
    try {
      try {
        if (place == null) {
          return pointedTo();
        }
        byte[] value = new byte[length];
        place.get(batch.placeOffset(entry), value);
        return value;
      } finally {
        MappedFaults.check();
      }
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      leave(stripe);
    }
  }

  /** Copies as much as fits of the current value. Returns the length of the value. */
  public int value(ByteBuffer destination) {
    int start = batch.keyEnd(entry);
    int length = batch.valueLength(entry);
    ByteBuffer place = batch.place(entry);
    if (place == null && !batch.isPointer(entry)) {
      destination.put(batch.bytes(), start, Math.min(length, destination.remaining()));
      return length;
    }
    if (place == null && readGroup()) {
      return batch.values().copy(entry, destination);
    }
    int stripe = enter();
    int position = destination.position();
    try {
      try {
        if (place == null) {
          return pointedTo(destination);
        }
        int copied = Math.min(length, destination.remaining());
        destination.put(position, place, batch.placeOffset(entry), copied);
        destination.position(position + copied);
        return length;
      } finally {
        MappedFaults.check();
      }
    } catch (InternalError e) {
      destination.position(position);
      throw MappedFaults.explain(e);
    } finally {
      leave(stripe);
    }
  }

  /**
   * Reads the current value and the next ones into the group, as far as they are short enough. The
   * first values of a batch were touched with the batch. Others are touched here. Returns whether
   * the group has the current value.
   */
  private boolean readGroup() {
    ValueGroup group = batch.values();
    if (group.has(entry)) {
      return true;
    }
    if (batch.requests().isOpen()
        || (entry < touchedEnd && !ValueGroup.fits(batch.pointer(entry)))) {
      return false;
    }
    int stripe = enter();
    try {
      try {
        if (entry >= touchedEnd) {
          touchedEnd = entry;
          run(Step.TOUCH);
        }
        group.read(scans.values(), batch, entry, touchedEnd);
      } finally {
        MappedFaults.check();
      }
    } catch (InternalError e) {
      group.clear(); // the values may be garbage
      throw MappedFaults.explain(e);
    } finally {
      leave(stripe);
    }
    return group.has(entry);
  }

  private byte[] pointedTo() {
    ValuePointer pointer = batch.pointer(entry);
    long began = beginRead(pointer);
    int keyStart = batch.keyStart(entry);
    int keyLength = batch.keyEnd(entry) - keyStart;
    ValueReader reader = batch.values().reader();
    byte[] value = reader.read(scans.values(), pointer, batch.bytes(), keyStart, keyLength);
    endRead(pointer, began);
    return value;
  }

  private int pointedTo(ByteBuffer destination) {
    ValuePointer pointer = batch.pointer(entry);
    long began = beginRead(pointer);
    int keyStart = batch.keyStart(entry);
    int keyLength = batch.keyEnd(entry) - keyStart;
    ValueReader reader = batch.values().reader();
    int length =
        reader.read(scans.values(), pointer, batch.bytes(), keyStart, keyLength, destination);
    endRead(pointer, began);
    return length;
  }

  private long beginRead(ValuePointer pointer) {
    if (batch.requests().isDue(batch, entry)) {
      run(Step.REQUEST);
    }
    return isTimed(pointer) ? scans.nanos() : 0;
  }

  private void endRead(ValuePointer pointer, long began) {
    if (isTimed(pointer)) {
      scans.coldValues().noteRead(1, scans.nanos() - began);
    }
  }

  /**
   * Whether to time the read of a value. A prefetched or touched value shows nothing about where
   * values are.
   */
  private boolean isTimed(ValuePointer pointer) {
    return !batch.requests().isOpen() && !ValueGroup.fits(pointer);
  }

  /**
   * Returns the number of entries in the current batch. Only a test of its growth calls this
   * method. The results of a scan do not depend on the sizes of its batches.
   */
  int batchCount() {
    return batch.count();
  }

  /** Throws if the scan or its store is closed. */
  public void check() {
    // Closing the store releases every snapshot handle. This check protects the scan's copied
    // entries.
    if (handle.isReleased()) {
      throw new StoreClosedException("iterator");
    }
  }

  /**
   * Keeps the store and its files open, even if another thread closes the scan. Returns the stripe
   * for {@link #leave}.
   */
  private int enter() {
    int stripe = scans.guard().enter();
    if (handle.isReleased() || !handle.snapshot().tryHold()) {
      scans.guard().leave(stripe);
      throw new StoreClosedException("iterator");
    }
    return stripe;
  }

  private void leave(int stripe) {
    handle.snapshot().unpin();
    scans.guard().leave(stripe);
  }

  /**
   * Closes the scan. A concurrent call of another thread finishes before the files are released.
   */
  @Override
  @SuppressWarnings("ReferenceEquality") // threads are compared by identity
  public void close() {
    // Another thread may still use the batch, so only the reading thread returns it.
    if (scans.close(handle) && reader == Thread.currentThread()) {
      batch.giveBack();
    }
  }
}
