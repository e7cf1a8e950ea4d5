// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.kv.StoreIoException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Punches holes into value segments, and knows how much of each is a hole.
 *
 * <p>What a hole costs differs by orders of magnitude: some microseconds, or, where the file system
 * tells the device of every block that is freed, a millisecond and more. So it is measured: holes
 * of a length at which it took longer than moving values would have to give as much back, are not
 * punched any more as long as the store is open.
 *
 * <p>Threads: any; the holes of one segment are punched one call at a time.
 */
public final class SegmentHoles {

  private static final Logger LOG = System.getLogger(SegmentHoles.class.getName());

  /** About what it takes to give a byte back by moving what is live beside it. */
  private static final long MOVE_NANOS_PER_BYTE = 3;

  /** So many holes are punched between looks at the clock. */
  private static final int AT_ONCE = 32;

  private final StoreDirectory directory;
  private final LongSupplier nanoClock;

  /** By segment, bytes that are holes or are going to be; asked for once, so not all are here. */
  private final Map<Integer, Long> bytes = new ConcurrentHashMap<>();

  /** 0 as soon as the file system says that there cannot be any. */
  private volatile int unit;

  private volatile long bytesMin;
  private final LongAdder punchedBytes = new LongAdder();

  SegmentHoles(StoreDirectory directory, LongSupplier nanoClock) {
    this.directory = directory;
    this.nanoClock = nanoClock;
    this.unit = directory.holeBytes();
    this.bytesMin = unit;
  }

  /** A hole's place and length are multiples of this; 0 where there cannot be any. */
  public int unit() {
    return unit;
  }

  /** Collects places where there may be holes that are worth it. */
  public Holes collect() {
    return new Holes(unit, bytesMin);
  }

  /** About how many bytes become holes when a value of so many bytes dies, which lies anywhere. */
  public long bytesOfValue(long valueBytes) {
    long hole = valueBytes - unit;
    return unit == 0 || hole < bytesMin ? 0 : hole;
  }

  /**
   * Bytes of a segment that are holes or are going to be. What an earlier life of the store has
   * punched, the device knows. The segment must be there.
   */
  public long bytes(int segment) {
    return unit == 0 ? 0 : bytes.computeIfAbsent(segment, this::bytesOnDevice);
  }

  private long bytesOnDevice(int segment) {
    String name = StoreFileName.valueLog(segment);
    return directory.size(name) - directory.usedBytes(name);
  }

  /**
   * Announces holes. Any thread may do so at any time, so each sum is changed in one step.
   *
   * @param more bytes to be punched by segment; the segments must exist
   */
  public void promise(Map<Integer, Long> more) {
    if (unit > 0) {
      more.forEach((segment, each) ->
          bytes.compute(segment, (key, sum) -> (sum == null ? bytesOnDevice(key) : sum) + each));
    }
  }

  /**
   * Punches those holes that are worth it still. A device that has no room even to note that there
   * is a hole gets none. A hole that fails does no harm: its blocks are freed with their segment.
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
      LOG.log(Level.DEBUG, "no room to note holes in value-log segment " + segment, e);
      return false;
    } catch (StoreIoException e) {
      LOG.log(Level.WARNING, "no holes are punched any more until the store is opened again", e);
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

  /** A segment has gone. */
  void forget(int segment) {
    bytes.remove(segment);
  }
}
