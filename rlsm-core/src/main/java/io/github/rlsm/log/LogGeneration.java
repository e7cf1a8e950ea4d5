// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.io.FileHeader;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.MappedFile.Advice;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A pair of segments, one write-ahead and one value segment, that are filled together; see the
 * package documentation.
 *
 * <p>The tail packs the offsets of both streams, in units, into one long. Bits 0 to 30 hold the
 * write-ahead offset, and bits 32 to 62 the value offset. Bit 63 is set once the generation is
 * sealed. The tail moves by compare-and-set and not by fetch-and-add. A reservation that does not
 * fit must leave no trace, because seqnos are computed from both offsets.
 *
 * <p>Threads: any number of writers reserve and fill concurrently. Each one stores only into the
 * bytes that it reserved.
 */
public final class LogGeneration {

  /** The result of {@link #reserve} if the record does not fit or the generation is sealed. */
  public static final long FULL = -1;

  /** The offset in each segment at which large pages may begin: the size of such a page. */
  static final int LARGE_PAGES_FROM = 2 << 20;

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

  /** See {@link #lastPart()}; only grows. */
  private final AtomicLong lastPart = new AtomicLong();

  /** See {@link #inLargePages()}. */
  private volatile boolean inLargePages;

  /** See {@link #paddingBytes()}. */
  private final AtomicLong paddingBytes = new AtomicLong();

  // The heads of the segments, until begin() writes them.
  private SegmentLayout.@Nullable Head walHead;
  private SegmentLayout.@Nullable Head valueHead;

  // The state of force(). One thread at a time uses it, which the caller ensures.

  /**
   * A tail below which every record was filled before it was forced; 0 until the heads are forced.
   */
  private long forced;

  /** A later tail, up to which the log was forced while some records may have been unfilled. */
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
   * Creates a generation for new records. Until {@link #begin}, it has no base seqno and its
   * segments have no heads.
   */
  static LogGeneration fresh(
      SegmentLayout layout, MappedFile walFile, MappedFile valueFile, long storeId) {
    LogGeneration made = new LogGeneration(layout, walFile, valueFile, START);
    made.walHead =
        new SegmentLayout.Head(walFile, FileHeader.Kind.WRITE_AHEAD_LOG, layout, storeId);
    made.valueHead = new SegmentLayout.Head(valueFile, FileHeader.Kind.VALUE_LOG, layout, storeId);
    return made;
  }

  /**
   * Keeps both segments in large pages, except their beginnings: a segment that is given back with
   * nothing but its head has no large page. Call this before records are written.
   */
  void useLargePages() {
    useLargePages(walFile);
    useLargePages(valueFile);
    inLargePages = Math.max(walFile.length(), valueFile.length()) > LARGE_PAGES_FROM;
  }

  private static void useLargePages(MappedFile file) {
    int length = file.length() - LARGE_PAGES_FROM;
    if (length > 0) {
      file.advise(Advice.LARGE_PAGES, LARGE_PAGES_FROM, length);
    }
  }

  /** Whether memory of the segments may be in large pages. */
  boolean inLargePages() {
    return inLargePages;
  }

  /**
   * Keeps the rest of both segments in single pages. Returns whether they already have large pages.
   * A force of one record in these writes up to 2 MiB.
   */
  public boolean leaveLargePages() {
    walFile.advise(Advice.SINGLE_PAGES, 0, walFile.length());
    valueFile.advise(Advice.SINGLE_PAGES, 0, valueFile.length());
    inLargePages = inLargePages && Math.max(usedBytes(false), usedBytes(true)) > LARGE_PAGES_FROM;
    return inLargePages;
  }

  /**
   * Puts the segments into use, once the end of the previous generation is known. Allocates
   * nothing: the previous generation is already sealed, so no write could proceed if this failed.
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
   * Creates a generation from segments found on disk. It accepts no records. {@link #endAt} sets
   * its end.
   */
  static LogGeneration recovered(SegmentLayout head, MappedFile walFile, MappedFile valueFile) {
    return new LogGeneration(head, walFile, valueFile, START | SEALED);
  }

  /** Sets the ends of the valid records in a recovered generation's segments. */
  void endAt(int walEnd, int valueEnd) {
    tail =
        (long) (valueEnd / RecordLayout.UNIT) << VALUE_SHIFT | walEnd / RecordLayout.UNIT | SEALED;
  }

  /** Length of a segment that holds a record of {@code units} units, with padding before it. */
  public static long segmentBytesFor(int units) {
    int padding = RecordLayout.padding(SegmentLayout.BYTES, units);
    return SegmentLayout.BYTES + ((long) padding + units) * RecordLayout.UNIT;
  }

  /**
   * Reserves space for a record.
   *
   * @return the reservation, which {@link #seqno} and {@link #offset} decode; or {@link #FULL}
   */
  public long reserve(boolean inValueLog, int units) {
    return reserve(inValueLog, false, units);
  }

  /**
   * Reserves space for a put in the value log, with the {@link #padding} before it.
   *
   * @return the reservation, which begins with the padding; or {@link #FULL}
   */
  public long reservePadded(int units) {
    return reserve(true, true, units);
  }

  /** Returns the units of padding at the beginning of a reservation for a put. */
  public static int padding(long reservation, int units) {
    return RecordLayout.padding(offset(reservation, true), units);
  }

  /** Returns the part of a reservation after its padding. */
  public static long afterPadding(long reservation, int padding) {
    return reservation + ((long) padding << VALUE_SHIFT);
  }

  private long reserve(boolean inValueLog, boolean padded, int recordUnits) {
    while (true) {
      long t = tail;
      if (t < 0) {
        return FULL;
      }
      int padding = padded ? padding(t, recordUnits) : 0;
      int units = padding + recordUnits;
      long add = inValueLog ? (long) units << VALUE_SHIFT : units;
      long room = inValueLog ? valueUnits - (t >>> VALUE_SHIFT) : walUnits - (int) t;
      if (units > room) {
        return FULL;
      }
      if (TAIL.weakCompareAndSet(this, t, t + add)) {
        if (padding > 0) {
          paddingBytes.addAndGet((long) padding * RecordLayout.UNIT);
        }
        return t;
      }
    }
  }

  /**
   * Seals the generation, so that it accepts no more records. Returns false if it was sealed
   * already.
   */
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

  /** Returns whether the generation is sealed. */
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

  /** Returns whether a reservation crosses a mebibyte boundary of its segment. */
  public static boolean passesMebibyte(long reservation, boolean inValueLog, int units) {
    int from = offset(reservation, inValueLog);
    return (from ^ (from + units * RecordLayout.UNIT)) >>> 20 != 0;
  }

  /** Notes that a record in this generation is a part of the cross-shard batch with this number. */
  public void hasPart(long gsn) {
    long before = lastPart.get();
    while (before < gsn && !lastPart.compareAndSet(before, gsn)) {
      before = lastPart.get();
    }
  }

  /**
   * The largest number of a cross-shard batch that has a part in this generation; 0 if none has.
   */
  public long lastPart() {
    return lastPart.get();
  }

  /** How full the fuller segment is, from 0 to 1. */
  public double fill() {
    return Math.max(
        (double) usedBytes(false) / wal.capacity(), (double) usedBytes(true) / values.capacity());
  }

  /** The seqno of the next record; once sealed, the end of the generation. */
  public long endSeqno() {
    return seqno(tail & ~SEALED);
  }

  /** The generation's number: 1, 2, … without gaps while the store is open. */
  public int number() {
    return number;
  }

  /** The number of the value segment. */
  public int valueNumber() {
    return valueNumber;
  }

  /** The seed of the checksums of the generation's records. */
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

  /** The file of one stream's segment. */
  public MappedFile file(boolean inValueLog) {
    return inValueLog ? valueFile : walFile;
  }

  /** Bytes of one stream's segment in use, including its head. */
  public int usedBytes(boolean inValueLog) {
    return offset(tail & ~SEALED, inValueLog);
  }

  /**
   * Makes all records below a seqno durable, and the heads with the first of them. One thread at a
   * time may call this, and each call must see the effects of the previous one.
   *
   * <p>Records that are being filled during the force may be forced too early. So later calls force
   * them again, until they are known to be published.
   *
   * @param published everything below is published
   * @return whether there was anything to force
   */
  public boolean force(long published) {
    Range range = unforced();
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

  /** The part that may not be durable, or null. Some of its records may still be unfilled. */
  public @Nullable Range unforced() {
    long end = tail & ~SEALED;
    return end == forced ? null : new Range(this, forced, end);
  }

  /** Notes that a range is durable. All of its records must have been filled before the force. */
  public void markForced(Range range) {
    forced = range.to();
    seen = range.to();
  }

  /** Returns whether the value segment holds any record. */
  public boolean hasValues() {
    return usedBytes(true) > SegmentLayout.BYTES;
  }

  /**
   * Bytes of padding in the value segment, complete once all reservations are published. A
   * generation that was found on disk reports 0: its padding then counts as dead records.
   */
  public long paddingBytes() {
    return paddingBytes.get();
  }

  /** Bytes of records in one segment, padding included. */
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

  /**
   * The bytes between two tails of a generation, in both of its segments. A range from 0 includes
   * the heads.
   *
   * @param generation the generation
   * @param from the earlier tail; 0 for the beginning of the files
   * @param to the later tail
   */
  public record Range(LogGeneration generation, long from, long to) {

    /** The seqno below which every record of the generation is in the range or before it. */
    public long endSeqno() {
      return generation.seqno(to);
    }

    /** The first offset of the range in one stream's segment. */
    public int start(boolean inValueLog) {
      return offset(from, inValueLog);
    }

    /** The bytes of the range in one stream's segment. */
    public int length(boolean inValueLog) {
      return offset(to, inValueLog) - start(inValueLog);
    }

    /**
     * Returns the union with a range of the same generation that begins where this range ends, or
     * later.
     */
    public Range with(Range later) {
      return new Range(generation, from, later.to);
    }

    /** Forces the range in place: the values first, and then the records that point to them. */
    public void force() {
      force(true);
      force(false);
    }

    private void force(boolean inValueLog) {
      MappedFile file = generation.file(inValueLog);
      if (length(inValueLog) > 0) {
        file.force(start(inValueLog), length(inValueLog));
      }
    }
  }
}
