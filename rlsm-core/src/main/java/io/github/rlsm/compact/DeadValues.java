// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.log.Holes;
import io.github.rlsm.log.ValueLog;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.Version;
import io.github.rlsm.version.VersionEdit;
import java.util.Arrays;

/**
 * Counts, by segment, the bytes of values that a job lets go of: their pointers were shadowed, or
 * belonged to a dropped keyspace.
 */
final class DeadValues {

  /** The numbers of the segments there are, in order, and the dead bytes of each. */
  private final int[] segments;

  private final long[] bytes;

  private final Holes holes;

  /**
   * Nothing in any segment of a version.
   *
   * @param holes told where values are let go of
   */
  DeadValues(Version version, Holes holes) {
    this.holes = holes;
    segments = version.segments().stream().mapToInt(SegmentAccount::number).toArray();
    bytes = new long[segments.length];
  }

  /** The entry that the cursor is on will not be in any table any more. */
  void add(EntryCursor dropped) {
    if (dropped.kind() == EntryKind.POINTER) {
      add(dropped.keyLength(), ValuePointer.read(dropped.valueBuffer(), dropped.valueOffset()));
    }
  }

  /** No table will have that pointer, of a key of that length, any more. */
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

  /** Settles the accounts, which are all there: they stay as long as anything points there. */
  void addTo(VersionEdit.Builder edit) {
    for (int i = 0; i < segments.length; i++) {
      if (bytes[i] > 0) {
        edit.addDeadBytes(segments[i], bytes[i]);
      }
    }
  }
}
