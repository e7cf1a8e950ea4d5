// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.background.BackgroundError;
import io.github.rlsm.base.CommitDependencies;
import io.github.rlsm.log.DurableSeqno;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The seqno below which recovery never rolls back a write. Every write below it is durable, and the
 * other stores' parts of its cross-shard batches are durable too. Without such batches it equals
 * the durable seqno.
 *
 * <p>A {@code SYNC} write is acknowledged, and a record promises durability, only up to this seqno.
 * Recovery may end the history anywhere after it (I-11).
 *
 * <p>Threads: any.
 */
final class CommittedSeqno {

  private final DurableSeqno durable;
  private final CommitDependencies dependencies;
  private final BackgroundError errors;
  private final AtomicLong mark;

  /**
   * The latest part. Set before the part is published, so a thread that finds a part durable also
   * finds it here.
   */
  private volatile @Nullable Part last;

  /** A part of a cross-shard batch. Allocated before the write reserves its place in the log. */
  static final class Part {

    private final long gsn;
    private long end; // the seqno after the part; set before the part is published

    private Part(long gsn) {
      this.gsn = gsn;
    }

    long gsn() {
      return gsn;
    }
  }

  CommittedSeqno(DurableSeqno durable, CommitDependencies dependencies, BackgroundError errors) {
    this.durable = durable;
    this.dependencies = dependencies;
    this.errors = errors;
    this.mark = new AtomicLong(durable.get());
  }

  /** Returns the seqno below which no write can be rolled back. */
  long get() {
    long reached = durable.get(); // read first: every part below it is then visible
    return last == null ? reached : mark.get();
  }

  /** Waits until no write below {@code seqno} can be lost. All of them must be published. */
  void awaitAtLeast(long seqno) {
    if (get() >= seqno) {
      return;
    }
    durable.awaitAtLeast(seqno);
    long reached = durable.get();
    Part part = last;
    if (part != null) {
      forceDependencies(part.gsn);
      raise(reached);
    }
  }

  private void raise(long reached) {
    long before = mark.get();
    while (before < reached && !mark.compareAndSet(before, reached)) {
      before = mark.get();
    }
  }

  private void forceDependencies(long gsn) {
    try {
      dependencies.force(gsn);
    } catch (RuntimeException | Error e) {
      errors.set(e);
      throw e;
    }
  }

  /** Creates a part of the batch with this number, before it is written. */
  Part part(long gsn) {
    return new Part(gsn);
  }

  /** Records a part that is about to be published. One at a time, in the order of their numbers. */
  void partWritten(Part part, long end) {
    if (last == null) {
      raise(durable.get()); // before the first part, all durable writes are committed
    }
    part.end = end;
    last = part;
  }

  /** Whether a part may not be durable yet. */
  boolean hasUnforcedPart() {
    Part part = last;
    return part != null && durable.get() < part.end;
  }

  /** Makes all published parts durable, and promises nothing. */
  void forceParts() {
    Part part = last;
    if (part != null) {
      durable.awaitAtLeast(part.end);
    }
  }
}
