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

  /** A part of a batch over several stores, allocated before the write reserves its place. */
  static final class Part {

    private final long gsn;
    private long end; // the seqno behind it; written before the part is published

    private Part(long gsn) {
      this.gsn = gsn;
    }

    long gsn() {
      return gsn;
    }
  }

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
      raise(reached);
    }
  }

  private void raise(long reached) {
    long before = mark.get();
    while (before < reached && !mark.compareAndSet(before, reached)) {
      before = mark.get();
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

  /** A part of the batch with that number, which is about to be written. */
  Part part(long gsn) {
    return new Part(gsn);
  }

  /** A part is about to be published. One at a time, in the order of their numbers. */
  void partWritten(Part part, long end) {
    if (last == null) {
      raise(durable.get()); // until now durable was permanent
    }
    part.end = end;
    last = part;
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
