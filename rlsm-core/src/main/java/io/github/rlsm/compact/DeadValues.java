// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.log.ValueLog;
import io.github.rlsm.version.Version;
import io.github.rlsm.version.VersionEdit;
import java.util.TreeMap;

/**
 * Counts, by segment, the bytes of values that a job lets go of: their pointers were shadowed, or
 * belonged to a dropped keyspace.
 */
final class DeadValues {

  private final TreeMap<Integer, Long> bytes = new TreeMap<>();

  /** The entry that the cursor is on will not be in any table any more. */
  void add(EntryCursor dropped) {
    if (dropped.kind() == EntryKind.POINTER) {
      add(dropped.keyLength(), ValuePointer.read(dropped.valueBuffer(), dropped.valueOffset()));
    }
  }

  /** No table will have that pointer, of a key of that length, any more. */
  void add(int keyLength, ValuePointer pointer) {
    bytes.merge(pointer.segment(), ValueLog.recordBytes(keyLength, pointer), Long::sum);
  }

  /** Settles the accounts that there are: a segment may have been collected in the meantime. */
  void addTo(VersionEdit.Builder edit, Version current) {
    bytes.forEach((segment, dead) -> {
      if (current.segment(segment) != null) {
        edit.addDeadBytes(segment, dead);
      }
    });
  }
}
