// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.background.BackgroundError;
import io.github.rlsm.background.FlightRecorder;
import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.log.PublishedSeqno;
import io.github.rlsm.logdevice.DirectLog;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.read.ReadState;
import io.github.rlsm.read.ReadStates;
import io.github.rlsm.versionset.PinCount;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Forces the log: the segments of every unflushed generation, in place or by a copy on a log
 * device.
 *
 * <p>Threads: one at a time; {@link io.github.rlsm.log.DurableSeqno} ensures that.
 *
 * <p>Keeps invariants I-2 and I-7 of ARCHITECTURE.md.
 */
final class LogForce {

  private final ReadStates readStates;
  private final PublishedSeqno published;
  private final BackgroundError errors;
  private final @Nullable DirectLog direct;
  private final LongAdder syncs = new LongAdder();

  /**
   * Creates a log force.
   *
   * @param direct the log device, null to force the segments in place
   */
  LogForce(
      ReadStates readStates,
      PublishedSeqno published,
      BackgroundError errors,
      @Nullable DirectLog direct) {
    this.readStates = readStates;
    this.published = published;
    this.errors = errors;
    this.direct = direct;
  }

  /** Forces the log. Returns the seqno below which every write is durable now. */
  long force() {
    errors.check();
    return force(direct);
  }

  /**
   * As {@link #force}, but also for a read-only store: its log may be sound, and hold acknowledged
   * writes that were never forced. Writes nothing to a log device.
   */
  void forceAnyway() {
    force(null);
  }

  private long force(@Nullable DirectLog to) {
    // Get the seqno before the read state: then every write below the seqno is in tables or in a
    // generation of the read state.
    long reached = published.get();
    int stripe = PinCount.stripe();
    ReadState state = readStates.pin(stripe);
    try {
      List<LogGeneration> logs = oldestFirst(state.memory());
      return FlightRecorder.force(
          () -> to == null ? inPlace(logs, reached) : onDevice(to, logs, reached));
    } catch (RuntimeException | Error e) {
      errors.set(e);
      throw e;
    } finally {
      state.unpin(stripe);
    }
  }

  private static List<LogGeneration> oldestFirst(List<MemoryComponent> newestFirst) {
    List<LogGeneration> logs = new ArrayList<>(newestFirst.size());
    for (int i = newestFirst.size() - 1; i >= 0; i--) {
      logs.add(newestFirst.get(i).log());
    }
    return logs;
  }

  private long inPlace(List<LogGeneration> logs, long reached) {
    for (LogGeneration log : logs) {
      if (log.force(reached)) {
        syncs.increment();
      }
    }
    return reached;
  }

  private long onDevice(DirectLog to, List<LogGeneration> logs, long reached) {
    syncs.increment();
    return to.force(logs, reached);
  }

  /**
   * Removes all data from the log device. The whole log must be durable, and no thread may write.
   */
  void detach() {
    if (direct != null) {
      direct.detach(oldestFirst(readStates.memory()));
    }
  }

  /** Returns the number of forces of a segment or of the log device. */
  long syncs() {
    return syncs.sum();
  }

  /** Returns the bytes written to the log device. */
  long deviceBytes() {
    return direct == null ? 0 : direct.writtenBytes();
  }

  /** Closes the log device. */
  void close() {
    if (direct != null) {
      direct.close();
    }
  }
}
