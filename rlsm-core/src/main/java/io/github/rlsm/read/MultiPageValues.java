// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.valuelog.ValueLog;
import java.util.function.LongSupplier;

/**
 * Prefetches the value of a get if its record spans several pages. Value segments are mapped
 * without read-ahead, because a get does not use the neighbours of its value. So without a prefetch
 * a get waits for the device once for each page. A prefetch requests all pages at once.
 *
 * <p>The position decides, not only the length: of records of 1,000 bytes, every fourth lies on two
 * pages. The reads of values on one page are not timed, so they cost nothing more.
 *
 * <p>Threads: any.
 */
final class MultiPageValues {

  private static final int PAGE_BYTES = 4 << 10;

  /** See {@link ValueLog#mayNeed}. */
  @FunctionalInterface
  interface Ahead {
    /** Prefetches a range of a value segment. */
    void read(int segment, long from, long to);
  }

  private final Ahead ahead;
  private final LongSupplier nanoClock;
  private final ColdValues cold = new ColdValues();

  MultiPageValues(Ahead ahead, LongSupplier nanoClock) {
    this.ahead = ahead;
    this.nanoClock = nanoClock;
  }

  /**
   * Called before a value is read.
   *
   * @return the argument for {@link #end}; 0 if the record lies on one page
   */
  long begin(ValuePointer pointer, int keyLength) {
    long from = pointer.offset();
    long end = from + ValueLog.recordBytes(keyLength, pointer);
    if (from / PAGE_BYTES == (end - 1) / PAGE_BYTES) {
      return 0;
    }
    if (cold.areExpected()) {
      ahead.read(pointer.segment(), from, end);
    }
    return nanoClock.getAsLong();
  }

  /** Called after a value was read. */
  void end(long begun) {
    if (begun != 0) {
      cold.noteRead(1, nanoClock.getAsLong() - begun);
    }
  }
}
