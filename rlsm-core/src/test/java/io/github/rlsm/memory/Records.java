// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import io.github.rlsm.memory.LoggedMemory.Stored;
import io.github.rlsm.memory.MemoryComponent.MemtableStructure;

/** Records in a log that all tests share, and Membuffers over it. */
final class Records {

  private static final LoggedMemory MEMORY =
      new LoggedMemory(MemtableStructure.SORTED_RUNS, 16, 64 << 10);

  /** The earlier version of a key. */
  static final Stored EARLY = MEMORY.store(LoggedMemory.bytes("\0key"), new byte[3]);

  /** The later version of the same key. */
  static final Stored LATE = MEMORY.store(LoggedMemory.bytes("\0key"), new byte[5]);

  /** Another key. */
  static final Stored OTHER = MEMORY.store(LoggedMemory.bytes("\0other"), new byte[3]);

  private Records() {}

  static Membuffer membuffer(int capacity, SnapshotRegistry snapshots) {
    return new Membuffer(MEMORY.log, snapshots, MembufferArrays.forCapacity(capacity));
  }

  static void insert(Membuffer buffer, Stored record) {
    int entry = buffer.claim(1);
    buffer.insert(
        entry,
        record.key(),
        record.key().length,
        record.hash(),
        record.reference(),
        OlderVersions.Spare.NONE);
  }

  private static int find(Membuffer buffer, Stored record) {
    return buffer.find(record.key(), record.key().length, record.hash());
  }

  /** Returns 0 if the key has no entry, 1 for an entry with a version, 2 for an entry without. */
  static int newest(Membuffer buffer, Stored record) {
    int entry = find(buffer, record);
    return entry < 0 ? 0 : Reference.isVersion(buffer.newest(entry)) ? 1 : 2;
  }

  /** Whether the newest version of the record's key is the record. */
  static boolean seqnoIs(Membuffer buffer, Stored record) {
    int entry = find(buffer, record);
    return entry >= 0 && buffer.seqno(buffer.newest(entry)) == record.seqno();
  }

  /**
   * Whether a snapshot sees a version of a key. A snapshot that also sees a later version may
   * return that one.
   */
  static boolean sees(Membuffer buffer, Stored record, long end) {
    long visible = buffer.visible(find(buffer, record), end);
    return Reference.isVersion(visible)
        && buffer.seqno(visible) >= record.seqno()
        && buffer.seqno(visible) < end;
  }
}
