// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.log.DirectLog;
import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.log.PublishedSeqno;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.read.View;
import io.github.rlsm.version.PinCount;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Forces the log: the segments of every generation that is not in tables yet, where they are or on
 * a log device.
 *
 * <p>Threads: one at a time, which {@link io.github.rlsm.log.DurableSeqno} sees to.
 */
final class LogForce {

  private final Views views;
  private final PublishedSeqno published;
  private final BackgroundError errors;
  private final Counters counters;
  private final @Nullable DirectLog direct;

  /**
   * A force.
   *
   * @param direct where records are made durable, null for where they are
   */
  LogForce(
      Views views,
      PublishedSeqno published,
      BackgroundError errors,
      Counters counters,
      @Nullable DirectLog direct) {
    this.views = views;
    this.published = published;
    this.errors = errors;
    this.counters = counters;
    this.direct = direct;
  }

  /** Returns the seqno below which everything is durable now. */
  long force() {
    errors.check();
    return force(direct);
  }

  /**
   * As {@link #force}, of a store that has failed, too: its log may be sound, and acknowledged
   * writes in it that were never forced. A log device is left as it is.
   */
  void forceAnyway() {
    force(null);
  }

  private long force(@Nullable DirectLog to) {
    // First how far, then the view: whatever lies below is in a generation of the view or in
    // tables.
    long reached = published.get();
    int stripe = PinCount.stripe();
    View view = views.pin(stripe);
    try {
      List<LogGeneration> logs = oldestFirst(view.memory());
      return FlightRecorder.force(
          () -> to == null ? inPlace(logs, reached) : onDevice(to, logs, reached));
    } catch (RuntimeException | Error e) {
      errors.set(e);
      throw e;
    } finally {
      view.unpin(stripe);
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
        counters.syncs.increment();
      }
    }
    return reached;
  }

  private long onDevice(DirectLog to, List<LogGeneration> logs, long reached) {
    counters.syncs.increment();
    return to.force(logs, reached);
  }

  /** Everything is durable and nobody writes: leaves nothing on the log device. */
  void detach() {
    if (direct != null) {
      direct.detach(oldestFirst(views.memory()));
    }
  }

  /** Bytes written to the log device. */
  long deviceBytes() {
    return direct == null ? 0 : direct.writtenBytes();
  }

  /** Gives the log device back. */
  void close() {
    if (direct != null) {
      direct.close();
    }
  }
}
