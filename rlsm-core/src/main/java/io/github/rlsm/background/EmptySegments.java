// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.background;

import io.github.rlsm.read.ReadStates;
import io.github.rlsm.table.Table;
import io.github.rlsm.valuelog.SegmentHoles;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.Version;
import io.github.rlsm.version.VersionEdit;
import io.github.rlsm.versionset.VersionSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Retires value segments that no pointer in any table references (I-8). Their files are deleted
 * once no pinned version and no memory component uses them.
 *
 * <p>Threads: any.
 */
final class EmptySegments {

  private final VersionSet<Table> versions;
  private final SegmentHoles holes;
  private final ReadStates readStates;
  private final LongAdder freedSegments = new LongAdder();
  private final LongAdder freedBytes = new LongAdder();

  EmptySegments(StoreFiles files, ReadStates readStates) {
    this.versions = files.versions();
    this.holes = files.values().holes();
    this.readStates = readStates;
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
    freedSegments.add(removed.size());
    freedBytes.add(bytes);
    FlightRecorder.freed(removed.size(), bytes);
  }

  /** Returns the number of segments retired so far. */
  long freedSegments() {
    return freedSegments.sum();
  }

  /** Returns the bytes of the segments retired so far. */
  long freedBytes() {
    return freedBytes.sum();
  }

  /** Builds the edit. Adds the bytes of each retired segment to {@code removed}. */
  private VersionEdit edit(Version version, List<Long> removed) {
    VersionEdit.Builder edit = VersionEdit.builder();
    version.segments().stream().filter(EmptySegments::isEmpty).forEach(account -> {
      edit.removeSegment(account.number());
      removed.add(account.fileBytes() - holes.bytes(account.number()));
    });
    return edit.build();
  }

  private static boolean isEmpty(SegmentAccount account) {
    return account.liveBytes() == 0;
  }
}
