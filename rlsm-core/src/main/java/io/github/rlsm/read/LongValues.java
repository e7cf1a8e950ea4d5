// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.valuelog.ValueLog;
import java.util.function.LongSupplier;

/**
 * Prefetches values longer than a page, so that a get does not wait for one page after the other.
 * Value segments are mapped without read-ahead, because a get does not use the neighbours of its
 * value.
 *
 * <p>Threads: any.
 */
final class LongValues {

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

  LongValues(Ahead ahead, LongSupplier nanoClock) {
    this.ahead = ahead;
    this.nanoClock = nanoClock;
  }

  /** Called before a value is read. Returns the argument for {@link #end}. */
  long begin(ValuePointer pointer, int keyLength) {
    if (pointer.valueLength() <= PAGE_BYTES) {
      return 0;
    }
    if (cold.areExpected()) {
      long end = pointer.offset() + ValueLog.recordBytes(keyLength, pointer);
      ahead.read(pointer.segment(), pointer.offset(), end);
    }
    return nanoClock.getAsLong();
  }

  /** Called after a value was read. */
  void end(ValuePointer pointer, long begun) {
    if (pointer.valueLength() > PAGE_BYTES) {
      cold.noteRead(1, nanoClock.getAsLong() - begun);
    }
  }
}
