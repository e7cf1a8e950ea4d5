// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.level.Table;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.Version;
import io.github.rlsm.version.VersionEdit;
import io.github.rlsm.version.VersionSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Value segments on their way out of the version: those that were examined go when everything that
 * the examination saw or wrote is in tables, those that no pointer points into go at once.
 *
 * <p>Nobody else removes accounts, so a segment that is being examined stays until this is told.
 *
 * <p>Threads: {@link #letGo} one at a time; others any.
 */
final class LeavingSegments {

  private final VersionSet<Table> versions;
  private final Views views;
  private final Counters counters;
  private final List<Examined> examined = new ArrayList<>(); // guarded by this

  /** A segment that may go once everything below a seqno is in tables. */
  private record Examined(SegmentAccount account, long endSeqno, long movedBytes) {}

  LeavingSegments(VersionSet<Table> versions, Views views, Counters counters) {
    this.versions = versions;
    this.views = views;
    this.counters = counters;
  }

  /**
   * A segment has been examined.
   *
   * @param endSeqno above everything that a look-up saw and a move wrote
   * @param movedBytes bytes written again
   */
  synchronized void add(SegmentAccount account, long endSeqno, long movedBytes) {
    examined.add(new Examined(account, endSeqno, movedBytes));
  }

  /** Whether none waits. */
  synchronized boolean isEmpty() {
    return examined.isEmpty();
  }

  /** Those that were examined and wait. */
  synchronized Set<Integer> numbers() {
    Set<Integer> numbers = new HashSet<>();
    examined.forEach(segment -> numbers.add(segment.account.number()));
    return numbers;
  }

  /**
   * Lets go of those that no entry needs any more.
   *
   * @return how many
   */
  int letGo() {
    Version now = versions.current();
    Set<Integer> gone = empty(now);
    List<Examined> ready = ready(now);
    ready.forEach(segment -> gone.add(segment.account.number()));
    if (gone.isEmpty()) {
      return 0;
    }
    List<SegmentAccount> removed = new ArrayList<>();
    versions.install(version -> {
      VersionEdit.Builder edit = VersionEdit.builder();
      for (SegmentAccount account : version.segments()) {
        if (gone.contains(account.number())) {
          edit.removeSegment(account.number());
          removed.add(account);
        }
      }
      return edit.build();
    });
    views.refresh();
    count(removed, ready);
    synchronized (this) {
      examined.removeIf(segment -> gone.contains(segment.account.number()));
    }
    return removed.size();
  }

  private void count(List<SegmentAccount> removed, List<Examined> ready) {
    long moved = ready.stream().mapToLong(Examined::movedBytes).sum();
    long freed = removed.stream().mapToLong(SegmentAccount::totalBytes).sum();
    counters.freedSegments.add(removed.size());
    counters.freedBytes.add(freed);
    FlightRecorder.collection(removed.size(), freed, moved);
  }

  /** Segments that no pointer in any table points into; nor does memory, which is younger. */
  private Set<Integer> empty(Version version) {
    Set<Integer> inMemory = SpaceSurvey.segmentsIn(views.memory());
    Set<Integer> empty = new HashSet<>();
    for (SegmentAccount account : version.segments()) {
      if (account.liveBytes() == 0 && !inMemory.contains(account.number())) {
        empty.add(account.number());
      }
    }
    return empty;
  }

  private synchronized List<Examined> ready(Version version) {
    return examined.stream()
        .filter(segment -> version.flushedSeqno() >= segment.endSeqno())
        .toList();
  }
}
