// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.valuelog.SegmentHoles;
import io.github.rlsm.valuelog.ValueLog;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.Version;
import io.github.rlsm.version.VersionEdit;
import java.util.Arrays;

/**
 * Counts, by segment, the bytes of values whose pointers a job drops, because they are shadowed or
 * in a dropped keyspace.
 *
 * <p>Threads: one at a time.
 */
final class DeadValues {

  /** The segment numbers in ascending order, and the dead bytes of each. */
  private final int[] segments;

  private final long[] bytes;

  private final SegmentHoles.NewHoles holes;

  /**
   * Creates a count for the segments of a version.
   *
   * @param holes collects the places of dead values
   */
  DeadValues(Version version, SegmentHoles.NewHoles holes) {
    this.holes = holes;
    segments = version.segments().stream().mapToInt(SegmentAccount::number).toArray();
    bytes = new long[segments.length];
  }

  /** Counts an entry that the new tables will not have. */
  void add(CursorEntry dropped) {
    if (dropped.kind() == EntryKind.POINTER) {
      add(dropped.keyLength(), ValuePointer.read(dropped.buffer(), dropped.valueOffset()));
    }
  }

  /** Counts a pointer that no table will have any more. */
  void add(int keyLength, ValuePointer pointer) {
    int index = Arrays.binarySearch(segments, pointer.segment());
    if (index < 0) {
      throw new CorruptionException(
          StoreFileName.valueLog(Math.max(1, pointer.segment())),
          pointer.offset(),
          "a table points into this segment, which the manifest does not know");
    }
    bytes[index] += ValueLog.recordBytes(keyLength, pointer);
    holes.add(keyLength, pointer);
  }

  /**
   * Adds the counts to the accounts. All accounts exist, since an account stays while a pointer
   * leads to its segment.
   */
  void addTo(VersionEdit.Builder edit) {
    for (int i = 0; i < segments.length; i++) {
      if (bytes[i] > 0) {
        edit.addDeadBytes(segments[i], bytes[i]);
      }
    }
  }
}
