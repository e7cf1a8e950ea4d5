// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.table.Table;
import io.github.rlsm.valuelog.SegmentHoles;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.Version;
import io.github.rlsm.version.VersionEdit;
import io.github.rlsm.versionset.VersionSet;
import java.util.ArrayList;
import java.util.List;

/**
 * Retires value segments that no pointer in any table references (I-8). Their files are deleted
 * once no pinned version and no memory component uses them.
 *
 * <p>Threads: any.
 */
final class EmptySegments {

  private final VersionSet<Table> versions;
  private final ReadStates readStates;
  private final SegmentHoles holes;
  private final Counters counters;

  EmptySegments(
      VersionSet<Table> versions, ReadStates readStates, SegmentHoles holes, Counters counters) {
    this.versions = versions;
    this.readStates = readStates;
    this.holes = holes;
    this.counters = counters;
  }

  /** Retires all empty segments. */
  void release() {
    if (versions.current().segments().stream().noneMatch(EmptySegments::isEmpty)) {
      return;
    }
    List<Long> removed = new ArrayList<>();
    versions.install(version -> edit(version, removed));
    readStates.refresh();
    long bytes = removed.stream().mapToLong(Long::longValue).sum();
    counters.freedSegments.add(removed.size());
    counters.freedBytes.add(bytes);
    FlightRecorder.freed(removed.size(), bytes);
  }

  /** Builds the edit. Adds the bytes of each retired segment to {@code removed}. */
  private VersionEdit edit(Version version, List<Long> removed) {
    VersionEdit.Builder edit = VersionEdit.builder();
    version.segments().stream().filter(EmptySegments::isEmpty).forEach(account -> {
      edit.removeSegment(account.number());
      removed.add(account.totalBytes() - holes.bytes(account.number()));
    });
    return edit.build();
  }

  private static boolean isEmpty(SegmentAccount account) {
    return account.liveBytes() == 0;
  }
}
