// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.base.StripedCounters;
import io.github.rlsm.compact.WriteCause;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** The statistics counters of the engine. Threads: any, without contention. */
final class Counters {

  private static final int OTHER_GETS = 0;
  private static final int MEMORY_HITS = 1;

  final LongAdder operations = new LongAdder();
  final LongAdder userBytes = new LongAdder();
  final LongAdder syncs = new LongAdder();
  final LongAdder syncedWrites = new LongAdder();
  final LongAdder valueReads = new LongAdder();
  final LongAdder stalls = new LongAdder();
  final LongAdder stallNanos = new LongAdder();
  final LongAdder collectedBytes = new LongAdder();
  final LongAdder freedSegments = new LongAdder();
  final LongAdder freedBytes = new LongAdder();
  private final StripedCounters lookups = new StripedCounters();
  private final Map<WriteCause, LongAdder> tableBytes = new EnumMap<>(WriteCause.class);

  Counters() {
    for (WriteCause cause : WriteCause.values()) {
      tableBytes.put(cause, new LongAdder());
    }
  }

  /** Returns the bytes of value segments freed so far, less the bytes written to free them. */
  long netFreedBytes() {
    return freedBytes.sum() - collectedBytes.sum();
  }

  /** Counts a finished lookup. */
  void countGet(boolean inMemory) {
    lookups.add(inMemory ? MEMORY_HITS : OTHER_GETS, 1);
  }

  long gets() {
    return lookups.sum(OTHER_GETS) + memoryHits();
  }

  long memoryHits() {
    return lookups.sum(MEMORY_HITS);
  }

  void countWrite(int count, long bytes) {
    operations.add(count);
    userBytes.add(bytes);
  }

  void countTableBytes(WriteCause cause, long bytes) {
    tableBytes.getOrDefault(cause, new LongAdder()).add(bytes);
  }

  long tableBytes(WriteCause cause) {
    return tableBytes.getOrDefault(cause, new LongAdder()).sum();
  }
}
