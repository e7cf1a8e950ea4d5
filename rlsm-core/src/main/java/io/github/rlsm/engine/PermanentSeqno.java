// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.log.DurableSeqno;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How far the history stays as it is, whatever happens: it is durable, and of the batches over
 * several stores in it so are the parts elsewhere. Without such batches this is the same as
 * durable. It is what a {@code SYNC} write is told, and what records promise; never is more
 * promised, for recovery may have to end the history anywhere behind it.
 *
 * <p>Threads: any.
 */
final class PermanentSeqno {

  private final DurableSeqno durable;
  private final Companions companions;
  private final BackgroundError errors;
  private final AtomicLong mark;

  /** The last part; written before it is published, so known to whoever finds it durable. */
  private volatile @Nullable Part last;

  /**
   * A part of a batch over several stores.
   *
   * @param gsn the batch's number
   * @param end the seqno behind it
   */
  private record Part(long gsn, long end) {}

  PermanentSeqno(DurableSeqno durable, Companions companions, BackgroundError errors) {
    this.durable = durable;
    this.companions = companions;
    this.errors = errors;
    this.mark = new AtomicLong(durable.get());
  }

  /** The seqno below which nothing is ever taken back. */
  long get() {
    long reached = durable.get(); // first this: a part below it is known
    return last == null ? reached : mark.get();
  }

  /** Returns once nothing below {@code seqno}, all of which must be published, can be lost. */
  void awaitAtLeast(long seqno) {
    if (get() >= seqno) {
      return;
    }
    durable.awaitAtLeast(seqno);
    long reached = durable.get();
    Part part = last;
    if (part != null) {
      forceCompanions(part.gsn);
      mark.accumulateAndGet(reached, Math::max);
    }
  }

  private void forceCompanions(long gsn) {
    try {
      companions.force(gsn);
    } catch (RuntimeException | Error e) {
      errors.set(e);
      throw e;
    }
  }

  /** A part is about to be published. One at a time, in the order of their numbers. */
  void partWritten(long gsn, long end) {
    if (last == null) {
      // Until now durable was permanent.
      mark.accumulateAndGet(durable.get(), Math::max);
    }
    last = new Part(gsn, end);
  }

  /** Whether a part may not be durable yet. */
  boolean hasUnforcedPart() {
    Part part = last;
    return part != null && durable.get() < part.end;
  }

  /** Makes all parts durable that are published, and promises nothing. */
  void forceParts() {
    Part part = last;
    if (part != null) {
      durable.awaitAtLeast(part.end);
    }
  }
}
