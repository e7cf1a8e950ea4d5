// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.memory.MemoryComponent;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The place in the log and in memory that a write has reserved. Every writing thread reuses one, so
 * that a reservation allocates nothing.
 *
 * <p>Threads: one thread at a time.
 */
final class Place {

  private @Nullable MemoryComponent memory;
  private boolean inValueLog;
  private int entry;
  private long reservation;
  private long end;

  /** Stores a reservation. */
  void set(MemoryComponent to, boolean inValueStream, int firstEntry, long reserved, int units) {
    memory = to;
    inValueLog = inValueStream;
    entry = firstEntry;
    reservation = reserved;
    end = to.log().seqno(reserved) + units;
  }

  /** Drops the component, so that an idle thread does not retain it. */
  void clear() {
    memory = null;
  }

  MemoryComponent memory() {
    return Objects.requireNonNull(memory);
  }

  LogGeneration log() {
    return memory().log();
  }

  boolean inValueLog() {
    return inValueLog;
  }

  /** Returns the first of the reserved entry numbers. */
  int entry() {
    return entry;
  }

  long reservation() {
    return reservation;
  }

  /** Returns the byte offset of the record in its segment. */
  int offset() {
    return LogGeneration.offset(reservation, inValueLog);
  }

  /** Returns the seqno of the record. */
  long seqno() {
    return log().seqno(reservation);
  }

  /** Returns the seqno after the record. */
  long end() {
    return end;
  }
}
