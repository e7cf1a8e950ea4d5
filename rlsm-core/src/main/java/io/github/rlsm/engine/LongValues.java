// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.log.ValueLog;
import java.util.function.LongSupplier;

/**
 * Has values of more than a page fetched whole, where a get would wait for one page after the
 * other: value segments are mapped, and nothing is read ahead in them, since what lies beside a
 * value is no use to who asks for one.
 *
 * <p>Threads: any.
 */
final class LongValues {

  private static final int PAGE_BYTES = 4 << 10;

  /** See {@link ValueLog#mayNeed}. */
  @FunctionalInterface
  interface Ahead {
    /** Has a range of a value segment read. */
    void read(int segment, long from, long to);
  }

  private final Ahead ahead;
  private final LongSupplier nanoClock;
  private final ColdValues cold = new ColdValues();

  LongValues(Ahead ahead, LongSupplier nanoClock) {
    this.ahead = ahead;
    this.nanoClock = nanoClock;
  }

  /** To be called before a value is read. Returns what {@link #end} is to be told. */
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

  /** To be called when the value has been read. */
  void end(ValuePointer pointer, long begun) {
    if (pointer.valueLength() > PAGE_BYTES) {
      cold.noteRead(1, nanoClock.getAsLong() - begun);
    }
  }
}
