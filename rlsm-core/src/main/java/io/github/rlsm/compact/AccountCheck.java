// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.level.Table;
import io.github.rlsm.log.ValueLog;
import io.github.rlsm.version.LivePartition;
import io.github.rlsm.version.PinnedVersion;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.Version;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts the pointers of a version and compares with its accounts. Each must point into a segment
 * with an account.
 *
 * <p>Threads: one at a time.
 */
public final class AccountCheck {

  private final PinnedVersion<Table> files;
  private final Version version;
  private final Map<Integer, Long> live = new HashMap<>();

  /** A check of a version that is pinned. */
  public AccountCheck(PinnedVersion<Table> files) {
    this.files = files;
    this.version = files.version();
  }

  /**
   * Reads every entry of every run, but for those that hold nothing any more.
   *
   * @throws CorruptionException if an account is wrong, or a pointer that counts points nowhere
   */
  public void run() {
    for (int i = 0; i < version.l0().size(); i++) {
      count(RunEntries.of(version.l0().get(i), files.l0Table(i)));
    }
    for (int i = 0; i < version.partitions().size(); i++) {
      LivePartition<Table> partition = files.partition(i);
      for (int j = 0; j < partition.partition().runs().size(); j++) {
        count(RunEntries.of(partition.partition().runs().get(j), partition.table(j)));
      }
    }
    for (SegmentAccount account : version.segments()) {
      long found = live.getOrDefault(account.number(), 0L);
      if (found != account.liveBytes()) {
        throw new CorruptionException(
            StoreFileName.valueLog(account.number()),
            0,
            "tables point at " + found + " bytes, the account says " + account);
      }
    }
  }

  private void count(EntryCursor entries) {
    for (boolean more = entries.seekFirst(); more; more = entries.next()) {
      if (entries.kind() == EntryKind.POINTER) {
        ValuePointer pointer = ValuePointer.read(entries.valueBuffer(), entries.valueOffset());
        if (version.segment(pointer.segment()) == null) {
          throw new CorruptionException(
              StoreFileName.valueLog(pointer.segment()),
              pointer.offset(),
              "the segment is gone, but a table points into it");
        }
        long bytes = ValueLog.recordBytes(entries.keyLength(), pointer);
        live.merge(pointer.segment(), bytes, Long::sum);
      }
    }
  }
}
