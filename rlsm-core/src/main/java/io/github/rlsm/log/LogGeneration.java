// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.io.FileKind;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.io.MappedFile;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A write-ahead segment and a value segment that are filled together, see the package's
 * description.
 *
 * <p>The tail packs both streams' offsets, in units, into one long: bits 0 to 30 the write-ahead
 * offset, bits 32 to 62 the value offset, bit 63 set once the generation is sealed. Compare-and-set
 * rather than fetch-and-add: a reservation that does not fit must leave no trace, because seqnos
 * are made of both offsets.
 *
 * <p>Threads: any number of writers reserve and fill at once; each stores only into what it
 * reserved.
 */
public final class LogGeneration {

  /** What {@link #reserve} returns when the record does not fit, or the generation is sealed. */
  public static final long FULL = -1;

  private static final long SEALED = 1L << 63;
  private static final int VALUE_SHIFT = 32;
  private static final int HEAD_UNITS = SegmentLayout.BYTES / RecordLayout.UNIT;
  private static final long START = (long) HEAD_UNITS << VALUE_SHIFT | HEAD_UNITS;

  private static final VarHandle TAIL;

  static {
    try {
      TAIL = MethodHandles.lookup().findVarHandle(LogGeneration.class, "tail", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int number;
  private long baseSeqno; // written before any other thread sees the generation
  private final MappedFile walFile;
  private final MappedFile valueFile;
  private final ByteBuffer wal;
  private final ByteBuffer values;
  private final int walUnits;
  private final int valueUnits;
  private final int salt;
  private final int valueNumber;
  private volatile long tail;

  // The heads of segments that are not in use yet.
  private @Nullable SegmentHead walHead;
  private @Nullable SegmentHead valueHead;

  // What force() has done so far; used by one thread at a time, which its caller sees to.

  /** A tail below which every record was filled before it was forced; 0 before the heads were. */
  private long forced;

  /** See {@link #lastPart()}; only grows. */
  private final AtomicLong lastPart = new AtomicLong();

  /** A later tail that a force saw while records below it may not have been filled yet. */
  private long seen = START;

  private LogGeneration(SegmentLayout head, MappedFile walFile, MappedFile valueFile, long tail) {
    this.number = head.generation();
    this.baseSeqno = head.baseSeqno();
    this.salt = head.salt();
    this.walFile = walFile;
    this.valueFile = valueFile;
    this.wal = walFile.memory();
    this.values = valueFile.memory();
    this.walUnits = walFile.length() / RecordLayout.UNIT;
    this.valueUnits = valueFile.length() / RecordLayout.UNIT;
    this.tail = tail;
    this.valueNumber = SegmentFiles.numberOf(valueFile);
  }

  /**
   * A generation to be written. It has no place in the history, and its segments have no heads,
   * before {@link #begin}.
   */
  static LogGeneration fresh(
      SegmentLayout layout, MappedFile walFile, MappedFile valueFile, long storeId) {
    LogGeneration made = new LogGeneration(layout, walFile, valueFile, START);
    made.walHead = new SegmentHead(walFile, FileKind.WRITE_AHEAD_LOG, layout, storeId);
    made.valueHead = new SegmentHead(valueFile, FileKind.VALUE_LOG, layout, storeId);
    return made;
  }

  /**
   * Puts the segments to use, once the history before them is known to end. Allocates nothing: the
   * generation before is sealed by now, and no write could go on if this failed.
   */
  public void begin(long newBaseSeqno) {
    baseSeqno = newBaseSeqno;
    Objects.requireNonNull(walHead).write(newBaseSeqno);
    Objects.requireNonNull(valueHead).write(newBaseSeqno);
    MappedFaults.check();
    walHead = null;
    valueHead = null;
  }

  /**
   * A generation found on disk: it takes no more records, and {@link #endAt} says where it ends.
   */
  static LogGeneration recovered(SegmentLayout head, MappedFile walFile, MappedFile valueFile) {
    return new LogGeneration(head, walFile, valueFile, START | SEALED);
  }

  /** Says how far a recovered generation's segments hold records of the history. */
  void endAt(int walEnd, int valueEnd) {
    tail =
        (long) (valueEnd / RecordLayout.UNIT) << VALUE_SHIFT | walEnd / RecordLayout.UNIT | SEALED;
  }

  /** Bytes that records can take in a segment of that length. */
  public static int capacity(int segmentBytes) {
    return segmentBytes - SegmentLayout.BYTES;
  }

  /** Bytes a segment must have to hold a record of that many units. */
  public static long segmentBytesFor(int units) {
    return SegmentLayout.BYTES + (long) units * RecordLayout.UNIT;
  }

  /**
   * Takes space for a record.
   *
   * @return where the record goes, to be read by {@link #seqno}, {@link #offset}; or {@link #FULL}
   */
  public long reserve(boolean inValueLog, int units) {
    long add = inValueLog ? (long) units << VALUE_SHIFT : units;
    while (true) {
      long t = tail;
      if (t < 0) {
        return FULL;
      }
      long room = inValueLog ? valueUnits - (t >>> VALUE_SHIFT) : walUnits - (int) t;
      if (units > room) {
        return FULL;
      }
      if (TAIL.weakCompareAndSet(this, t, t + add)) {
        return t;
      }
    }
  }

  /** Takes no more records from now on. Returns false if that was so already. */
  public boolean seal() {
    while (true) {
      long t = tail;
      if (t < 0) {
        return false;
      }
      if (TAIL.compareAndSet(this, t, t | SEALED)) {
        return true;
      }
    }
  }

  /** Whether it takes no more records. */
  public boolean isSealed() {
    return tail < 0;
  }

  /** Seqno of a reservation. */
  public long seqno(long reservation) {
    return baseSeqno + (reservation >>> VALUE_SHIFT) + (int) reservation - 2L * HEAD_UNITS;
  }

  /** Byte offset of a reservation in its stream's segment. */
  public static int offset(long reservation, boolean inValueLog) {
    return (int) (inValueLog ? reservation >>> VALUE_SHIFT : reservation & Integer.MAX_VALUE)
        * RecordLayout.UNIT;
  }

  /** Whether a reservation reaches into another mebibyte of its segment than the one before it. */
  public static boolean passesMebibyte(long reservation, boolean inValueLog, int units) {
    int from = offset(reservation, inValueLog);
    return (from ^ (from + units * RecordLayout.UNIT)) >>> 20 != 0;
  }

  /** A record of it is a part of the batch over several stores with that number. */
  public void hasPart(long gsn) {
    long before = lastPart.get();
    while (before < gsn && !lastPart.compareAndSet(before, gsn)) {
      before = lastPart.get();
    }
  }

  /** The largest number of a batch over several stores that it has a part of, 0 for none. */
  public long lastPart() {
    return lastPart.get();
  }

  /** How full the fuller segment is, from 0 to 1. */
  public double fill() {
    return Math.max(
        (double) usedBytes(false) / wal.capacity(), (double) usedBytes(true) / values.capacity());
  }

  /** Seqno that the next record would get; once sealed, the end of this generation. */
  public long endSeqno() {
    return seqno(tail & ~SEALED);
  }

  /** The generation's number: 1, 2, … without gaps while the store is open. */
  public int number() {
    return number;
  }

  /** Number of its value segment. */
  int valueNumber() {
    return valueNumber;
  }

  /** What the checksums of its records are seeded with. */
  int salt() {
    return salt;
  }

  /** Seqno of the first record. */
  public long baseSeqno() {
    return baseSeqno;
  }

  /** The memory of one stream's segment. */
  public ByteBuffer segment(boolean inValueLog) {
    return inValueLog ? values : wal;
  }

  /** The memory of the segment a location points into. */
  public ByteBuffer segmentOf(int location) {
    return RecordLayout.inValueLog(location) ? values : wal;
  }

  /** One stream's segment. */
  public MappedFile file(boolean inValueLog) {
    return inValueLog ? valueFile : walFile;
  }

  /** Bytes of the segment in use, its head included. */
  public int usedBytes(boolean inValueLog) {
    return offset(tail & ~SEALED, inValueLog);
  }

  /**
   * Makes all records below a seqno durable, and the heads with the first of them. One thread at a
   * time, each seeing what the one before did.
   *
   * <p>Records that are reserved and being filled meanwhile are forced as they are; as that may be
   * too early, they are forced again by a later call, until they are known to be published.
   *
   * @param published everything below is published
   * @return whether there was anything to do
   */
  public boolean force(long published) {
    LogRange range = unforced();
    if (range == null) {
      return false;
    }
    range.force();
    if (published >= range.endSeqno()) {
      markForced(range);
    } else if (published >= seqno(seen)) {
      forced = seen;
      seen = range.to();
    }
    return true;
  }

  /** What is not known to be durable, if anything; its records may still be being filled. */
  @Nullable
  LogRange unforced() {
    long end = tail & ~SEALED;
    return end == forced ? null : new LogRange(this, forced, end);
  }

  /** Says that what was {@link #unforced()} is durable, every record of it having been filled. */
  void markForced(LogRange range) {
    forced = range.to();
    seen = range.to();
  }

  /** Whether any record stands in the value segment. */
  public boolean hasValues() {
    return usedBytes(true) > SegmentLayout.BYTES;
  }

  /** Bytes of records in one segment. */
  public long recordBytes(boolean inValueLog) {
    return (long) usedBytes(inValueLog) - SegmentLayout.BYTES;
  }

  /** Bytes of records in both segments. */
  public long recordBytes() {
    return (endSeqno() - baseSeqno) * RecordLayout.UNIT;
  }

  @Override
  public String toString() {
    return "generation " + number + " [" + baseSeqno + ", " + endSeqno() + ")";
  }
}
