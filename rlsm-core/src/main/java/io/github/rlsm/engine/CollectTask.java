// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.compact.CollectJob;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.level.Table;
import io.github.rlsm.log.RecordLayout;
import io.github.rlsm.log.ValueLog;
import io.github.rlsm.policy.CollectPlanner;
import io.github.rlsm.policy.CollectSettings;
import io.github.rlsm.policy.SpaceShape;
import io.github.rlsm.policy.ValueSegmentShape;
import io.github.rlsm.version.PinnedVersion;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.VersionSet;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Picks value segments and examines them, a piece at a time.
 *
 * <p>Threads: one at a time.
 */
final class CollectTask {

  private final VersionSet<Table> versions;
  private final ValueLog values;
  private final CollectJob.Mover mover;
  private final LeavingSegments leaving;
  private final SpaceSurvey survey;
  private final LongSupplier tailSeqno;
  private final CollectSettings settings;
  private final Counters counters;

  /** Segments in which a record is damaged; they stay as they are. */
  private final Set<Integer> damaged = new HashSet<>();

  private @Nullable Examination current;
  private @Nullable CorruptionException damage;

  /**
   * After a segment turned out to be hardly worth it, nothing is collected unasked until as much
   * has been written as was moved for it: so estimates that are wrong in the same way again and
   * again cannot keep a store busy to which nobody writes.
   */
  private long heldUntilSeqno;

  /** A segment that is being walked. */
  private record Examination(SegmentAccount account, CollectJob job) {}

  CollectTask(
      VersionSet<Table> versions,
      ValueLog values,
      CollectJob.Mover mover,
      LeavingSegments leaving,
      SpaceSurvey survey,
      LongSupplier tailSeqno,
      CollectSettings settings,
      Counters counters) {
    this.versions = versions;
    this.values = values;
    this.mover = mover;
    this.leaving = leaving;
    this.survey = survey;
    this.tailSeqno = tailSeqno;
    this.settings = settings;
    this.counters = counters;
  }

  /**
   * Examines the next piece.
   *
   * @param askedBelow segments with smaller numbers are collected if that gives anything back
   * @param mayGoOn asked before each record
   * @return whether there was something to do
   */
  boolean step(int askedBelow, BooleanSupplier mayGoOn) {
    Examination examination = current;
    if (examination != null && versions.current().segment(examination.account.number()) == null) {
      examination = null; // a rewrite met its last pointer, and it was let go
    }
    current = examination == null ? begin(askedBelow) : examination;
    if (current == null) {
      return false;
    }
    examine(current, mayGoOn);
    return true;
  }

  private void examine(Examination examination, BooleanSupplier mayGoOn) {
    CollectJob job = examination.job;
    long before = job.movedBytes();
    boolean more;
    try {
      more = job.step(settings.stepBytes(), mayGoOn);
    } catch (CorruptionException e) {
      leaveAlone(examination.account, e);
      return;
    } finally {
      counters.collectedBytes.add(job.movedBytes() - before);
    }
    if (!more) {
      current = null;
      double vain = settings.whenAsked().liveFractionMax();
      if (job.movedBytes() > vain * examination.account.totalBytes()) {
        heldUntilSeqno = tailSeqno.getAsLong() + job.movedBytes() / RecordLayout.UNIT;
      }
      // All that any look-up has seen is below the tail of now.
      leaving.add(examination.account, tailSeqno.getAsLong(), job.movedBytes());
    }
  }

  /** A segment in which something is damaged stays as it is; others go on. */
  private void leaveAlone(SegmentAccount segment, CorruptionException e) {
    current = null;
    damaged.add(segment.number());
    damage = damage == null ? e : damage;
  }

  /** The first damage that was met. */
  Optional<CorruptionException> damage() {
    return Optional.ofNullable(damage);
  }

  /** Gives up the segment that is being examined. */
  void giveUp() {
    current = null;
  }

  /** The next examination; null if none is due. */
  private @Nullable Examination begin(int askedBelow) {
    SegmentAccount account = next(askedBelow);
    while (account != null) {
      try {
        return new Examination(
            account, new CollectJob(values.records(account.number(), account.totalBytes()), mover));
      } catch (CorruptionException e) {
        leaveAlone(account, e);
        account = next(askedBelow);
      }
    }
    return null;
  }

  private @Nullable SegmentAccount next(int askedBelow) {
    PinnedVersion<Table> files = versions.pin();
    try {
      SpaceShape space = survey.space(files, leaving.numbers(), damaged);
      Optional<ValueSegmentShape> next = plan(space, askedBelow);
      return next.isEmpty() ? null : files.version().segment(next.get().number());
    } finally {
      files.unpin();
    }
  }

  private Optional<ValueSegmentShape> plan(SpaceShape space, int askedBelow) {
    SpaceShape meant = new SpaceShape(
        space.diskBytes(),
        space.liveBytes(),
        space.youngest(),
        space.segments().stream()
            .filter(segment -> segment.number() < askedBelow)
            .toList());
    return new CollectPlanner(settings.whenAsked())
        .next(meant)
        .or(() -> tailSeqno.getAsLong() < heldUntilSeqno
            ? Optional.empty()
            : new CollectPlanner(settings).next(space));
  }
}
