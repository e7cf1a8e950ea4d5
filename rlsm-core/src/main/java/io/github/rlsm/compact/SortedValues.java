// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.log.RelocatedSegment;
import io.github.rlsm.policy.FlushPlanner;
import io.github.rlsm.valuelog.ValueLog;
import io.github.rlsm.valuelog.ValueReader;
import io.github.rlsm.version.SegmentAccount;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The values of a flush in new segments, in key order. All values first get places, and are then
 * copied in the same order. So the length of each new file is known before it is created.
 *
 * <p>Threads: one thread at a time.
 */
final class SortedValues implements AutoCloseable {

  private final ValueLog log;
  private final Supplier<RelocatedSegment> begin;
  private final List<RelocatedSegment> segments = new ArrayList<>();

  private static final int CHUNK_BITS = 12;
  private static final int CHUNK = 1 << CHUNK_BITS;

  /**
   * The offset of each value in its segment. The next segment begins where they do not ascend.
   * Small arrays, as in {@link MoveList}.
   */
  private final List<int[]> offsets = new ArrayList<>();

  private int count;
  private long bytes;
  private long jumps;
  private int lastOld;

  private final ValueReader reader = new ValueReader();
  private final RelocatedSegment.Appender appender = new RelocatedSegment.Appender();
  private byte[] key = new byte[64];
  private int copied;
  private int filling;
  private boolean kept;

  /**
   * Creates an empty list.
   *
   * @param log the log that the values are read from
   * @param begin creates a new segment
   */
  SortedValues(ValueLog log, Supplier<RelocatedSegment> begin) {
    this.log = log;
    this.begin = begin;
  }

  /** Adds the value of the next entry in key order. */
  void add(CursorEntry entry, ValuePointer old) {
    int keyLength = entry.keyLength();
    int valueLength = old.valueLength();
    if (segments.isEmpty() || last().isFull(keyLength, valueLength)) {
      segments.add(begin.get());
    }
    if (count >> CHUNK_BITS == offsets.size()) {
      offsets.add(new int[CHUNK]);
    }
    int offset = last().reserve(keyLength, valueLength).offset();
    offsets.get(count >> CHUNK_BITS)[count & (CHUNK - 1)] = offset;
    count++;
    bytes += valueLength;
    jumps += Math.abs((long) old.offset() - lastOld) > FlushPlanner.JUMP_BYTES ? 1 : 0;
    lastOld = old.offset();
  }

  private int offset(int value) {
    return offsets.get(value >> CHUNK_BITS)[value & (CHUNK - 1)];
  }

  private RelocatedSegment last() {
    return segments.get(segments.size() - 1);
  }

  /** Whether it is worth copying the values. */
  boolean areWorthCopying() {
    return new FlushPlanner.Values(count, bytes, jumps).areWorthSorting();
  }

  /** Creates the files. No value may be added any more. */
  void create() {
    segments.forEach(segment -> segment.create(true));
  }

  /**
   * Copies the value of the next entry, in the order of the calls of {@link #add}. Returns its new
   * place.
   *
   * @throws UnreadableValueException if the value cannot be read
   */
  ValuePointer copy(CursorEntry entry, ValuePointer old) {
    int offset = offset(copied);
    if (copied > 0 && offset <= offset(copied - 1)) {
      filling++;
    }
    copied++;
    int keyLength = entry.keyLength();
    if (keyLength > key.length) {
      key = new byte[2 * keyLength];
    }
    entry.buffer().get(entry.keyOffset(), key, 0, keyLength);
    RelocatedSegment target = segments.get(filling);
    appender.encode(key, 0, keyLength, value(old, keyLength), old.valueLength());
    appender.append(target, offset, entry.seqno());
    return ValuePointer.of(target.number(), offset, false, old.valueLength());
  }

  private byte[] value(ValuePointer old, int keyLength) {
    try {
      try {
        return reader.readShared(log, old, key, 0, keyLength);
      } finally {
        MappedFaults.check();
      }
    } catch (CorruptionException | InternalError e) {
      throw UnreadableValueException.of(old.segment(), e);
    }
  }

  /** Makes all values durable. Returns the accounts of the segments. */
  List<SegmentAccount> finish() {
    appender.flush();
    segments.forEach(RelocatedSegment::finish);
    return segments.stream().map(ValueRelocation::account).toList();
  }

  /** Keeps the segments when this object is closed. */
  void keep() {
    kept = true;
  }

  /** Deletes the segments unless they are kept. */
  @Override
  public void close() {
    if (!kept) {
      segments.forEach(RelocatedSegment::delete);
    }
  }
}
