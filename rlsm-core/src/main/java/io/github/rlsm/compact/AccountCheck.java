// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.level.Table;
import io.github.rlsm.log.ValueLog;
import io.github.rlsm.log.ValueReader;
import io.github.rlsm.version.LivePartition;
import io.github.rlsm.version.PinnedVersion;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.Version;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Reads every value that a pointer of a version leads to, counts the pointers, and compares with
 * the version's accounts. Each pointer must lead into a segment with an account.
 *
 * <p>Threads: one at a time.
 */
public final class AccountCheck {

  private final PinnedVersion<Table> files;
  private final Version version;
  private final ValueLog log;
  private final Consumer<CorruptionException> damage;
  private final ValueReader values = new ValueReader();
  private final Map<Integer, Long> live = new HashMap<>();

  /**
   * A check of a version that is pinned.
   *
   * @param damage takes each value that cannot be read; the check goes on
   */
  public AccountCheck(
      PinnedVersion<Table> files, ValueLog log, Consumer<CorruptionException> damage) {
    this.files = files;
    this.log = log;
    this.damage = damage;
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
        read(entries, pointer);
      }
    }
  }

  private void read(EntryCursor entry, ValuePointer pointer) {
    byte[] key = new byte[entry.keyLength()];
    entry.keyBuffer().get(entry.keyOffset(), key);
    try {
      try {
        values.readShared(log, pointer, key, 0, key.length);
      } finally {
        MappedFaults.check();
      }
    } catch (CorruptionException e) {
      damage.accept(e);
    }
  }
}
