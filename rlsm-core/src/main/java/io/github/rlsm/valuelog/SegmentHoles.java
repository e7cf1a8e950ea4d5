// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.valuelog;

import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.log.RecordLayout;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

/**
 * Punches holes into value segments, and tracks the bytes of each segment that are holes.
 *
 * <p>The cost of a hole differs by orders of magnitude. It is a few microseconds, or a millisecond
 * and more if the file system reports every freed block to the device. So the cost is measured. If
 * punching holes of some length takes longer than freeing the same bytes by moving values, holes of
 * that length are not punched until the store is opened again.
 *
 * <p>Threads: any. Holes of one segment are punched by one call at a time.
 */
public final class SegmentHoles {

  private static final Logger LOG = System.getLogger(SegmentHoles.class.getName());

  /** The approximate time to free a byte by moving the live values next to it. */
  private static final long MOVE_NANOS_PER_BYTE = 3;

  /** The number of holes that are punched between two readings of the clock. */
  private static final int AT_ONCE = 32;

  private final StoreDirectory directory;
  private final LongSupplier nanoClock;

  /** Bytes by segment that are holes or will be punched. Computed on first use, so not complete. */
  private final Map<Integer, Long> bytes = new ConcurrentHashMap<>();

  /** Set to 0 as soon as the file system reports that it cannot punch holes. */
  private volatile int unit;

  private volatile long bytesMin;
  private final LongAdder punchedBytes = new LongAdder();

  SegmentHoles(StoreDirectory directory, LongSupplier nanoClock) {
    this.directory = directory;
    this.nanoClock = nanoClock;
    this.unit = directory.holeBytes();
    this.bytesMin = unit;
  }

  /** Returns an empty collection for holes that are worth punching. */
  public NewHoles collect() {
    return new NewHoles(unit, bytesMin);
  }

  /**
   * Returns the approximate number of bytes that become holes when a value of the given length
   * dies, at an arbitrary offset.
   */
  public long bytesOfValue(long valueBytes) {
    long hole = valueBytes - unit;
    return unit == 0 || hole < bytesMin ? 0 : hole;
  }

  /**
   * Returns the bytes of a segment that are holes or will be punched. The device knows the holes
   * from before the store was opened. The segment must exist.
   */
  public long bytes(int segment) {
    return unit == 0 ? 0 : bytes.computeIfAbsent(segment, this::bytesOnDevice);
  }

  private long bytesOnDevice(int segment) {
    String name = StoreFileName.valueLog(segment);
    return directory.size(name) - directory.usedBytes(name);
  }

  /**
   * Announces holes. Any thread may do this at any time, so each sum is updated atomically.
   *
   * @param more bytes to be punched, by segment; the segments must exist
   */
  public void promise(Map<Integer, Long> more) {
    if (unit > 0) {
      more.forEach((segment, each) ->
          bytes.compute(segment, (key, sum) -> (sum == null ? bytesOnDevice(key) : sum) + each));
    }
  }

  /**
   * Punches the holes that are still worth it. If the device has no space even for the metadata of
   * a hole, the hole is skipped. A failed hole is harmless: its blocks are freed with the segment.
   */
  void punch(int segment, long[] ranges) {
    long missing = sum(ranges);
    for (int i = 0; i < ranges.length; i += AT_ONCE) {
      long[] some = Arrays.stream(ranges, i, Math.min(ranges.length, i + AT_ONCE))
          .filter(range -> bytes(range) >= bytesMin)
          .toArray();
      if (some.length > 0 && unit > 0 && punchAll(segment, some)) {
        missing -= sum(some);
      }
    }
    long unkept = missing;
    bytes.computeIfPresent(segment, (key, sum) -> Math.max(0, sum - unkept));
  }

  private boolean punchAll(int segment, long[] ranges) {
    long sum = sum(ranges);
    long begin = nanoClock.getAsLong();
    try {
      String name = StoreFileName.valueLog(segment);
      if (!directory.punch(name, ranges)) {
        unit = directory.isLinked(name) ? unit : 0;
        return false;
      }
    } catch (ResourceExhaustedException e) {
      LOG.log(
          Level.DEBUG,
          "no space to punch holes in value-log segment " + segment
              + "; their blocks are freed with the segment",
          e);
      return false;
    } catch (StoreIoException e) {
      LOG.log(
          Level.WARNING,
          "cannot punch holes in value-log segment " + segment
              + "; no holes are punched until the store is opened again",
          e);
      unit = 0;
      return false;
    }
    punchedBytes.add(sum);
    long nanos = nanoClock.getAsLong() - begin;
    if (nanos > MOVE_NANOS_PER_BYTE * sum) {
      bytesMin = Math.max(bytesMin, 2 * sum / ranges.length);
    }
    return true;
  }

  private static long sum(long[] ranges) {
    return Arrays.stream(ranges).map(SegmentHoles::bytes).sum();
  }

  private static long bytes(long range) {
    return (int) range - (range >>> Integer.SIZE);
  }

  /** Bytes that were punched since the store was opened. */
  public long punchedBytes() {
    return punchedBytes.sum();
  }

  /** Forgets a segment that was deleted. */
  void forget(int segment) {
    bytes.remove(segment);
  }

  /**
   * Collects the ranges of value segments in which whole blocks are dead. Punching these blocks
   * frees their space while the rest of the segment stays (WiscKey, section 3.3.2).
   *
   * <p>A rewrite adds dead values in the order of their keys. Adjacent values that die together in
   * this order, as in segments of moved values, form one hole. The partial blocks at both ends of a
   * hole are not recorded. Their space is freed with the segment.
   *
   * <p>Threads: one at a time.
   */
  public static final class NewHoles {

    private final int unit;
    private final long bytesMin;
    private final Map<Integer, LongStream.Builder> ranges = new TreeMap<>();
    private final Map<Integer, Long> bytes = new TreeMap<>();
    private int segment;
    private long from;
    private long to;

    /**
     * Creates an empty collection.
     *
     * @param unit the alignment of a hole's offset and length; 0 if the file system cannot punch
     *     holes
     * @param bytesMin the length below which a hole is not worth punching
     */
    NewHoles(int unit, long bytesMin) {
      this.unit = unit;
      this.bytesMin = bytesMin;
    }

    /**
     * Adds a dead value.
     *
     * @param keyLength length of the value's internal key
     * @param pointer the pointer to the dead value
     */
    public void add(int keyLength, ValuePointer pointer) {
      int length = pointer.valueLength();
      int head = pointer.inBatch()
          ? RecordLayout.OPERATION_HEAD
          : RecordLayout.HEADER + RecordLayout.KEY_LENGTH;
      long end = (long) pointer.offset() + head + keyLength + length;
      if (unit == 0 || length < 0 || end > Integer.MAX_VALUE) {
        return;
      }
      // A smaller gap holds no record. It is padding, or the bytes of a promise in the last record.
      int gapMax = pointer.inBatch() ? RecordLayout.OPERATION_HEAD : RecordLayout.HEADER;
      boolean goesOn =
          pointer.segment() == segment && pointer.offset() >= to && pointer.offset() - to < gapMax;
      if (!goesOn) {
        close();
        segment = pointer.segment();
        from = pointer.offset();
      }
      to = end;
    }

    /** Ends the current range. */
    private void close() {
      long first = unit == 0 ? 0 : (from + unit - 1) / unit * unit;
      long end = unit == 0 ? 0 : to / unit * unit;
      if (first < end && end - first >= bytesMin) {
        ranges
            .computeIfAbsent(segment, any -> LongStream.builder())
            .add(first << Integer.SIZE | end);
        bytes.merge(segment, end - first, Long::sum);
      }
      from = 0;
      to = 0;
    }

    /** Bytes of the holes, by segment. */
    public Map<Integer, Long> bytes() {
      close();
      return Map.copyOf(bytes);
    }

    /**
     * Removes and returns the holes by segment, each as
     * {@link io.github.rlsm.io.StoreDirectory#punch} expects it.
     */
    public Map<Integer, long[]> ranges() {
      close();
      Map<Integer, long[]> bySegment = new TreeMap<>();
      ranges.forEach((number, each) -> bySegment.put(number, each.build().toArray()));
      ranges.clear();
      return bySegment;
    }
  }
}
