// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyHash;
import io.github.rlsm.base.KeyspacePrefix;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.level.ReadCounters;
import io.github.rlsm.level.Table;
import io.github.rlsm.log.ValueLog;
import io.github.rlsm.read.View;
import io.github.rlsm.version.LivePartition;
import io.github.rlsm.version.PinnedVersion;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.Version;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the pointers of a version and compares with its accounts. A pointer into a segment without
 * an account is stale: it must be shadowed by something newer, or belong to a dropped keyspace.
 *
 * <p>Threads: one at a time.
 */
public final class AccountCheck {

  private final PinnedVersion<Table> files;
  private final Version version;
  private final View view;
  private final EntryView newest = new EntryView();
  private final Map<Integer, Long> live = new HashMap<>();

  /** A check of a version that is pinned. */
  public AccountCheck(PinnedVersion<Table> files) {
    this.files = files;
    this.version = files.version();
    this.view = new View(List.of(), files, new ReadCounters(), () -> {});
  }

  /**
   * Reads every entry of every run.
   *
   * @throws CorruptionException if an account is wrong, or a pointer that counts points nowhere
   */
  public void run() {
    for (int i = 0; i < version.l0().size(); i++) {
      count(files.l0Table(i).cursor(version.l0().get(i).range(), false));
    }
    for (int i = 0; i < version.partitions().size(); i++) {
      LivePartition<Table> partition = files.partition(i);
      for (int j = 0; j < partition.partition().runs().size(); j++) {
        count(partition.table(j).cursor(partition.partition().runs().get(j).range(), false));
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
        if (version.segment(pointer.segment()) != null) {
          long bytes = ValueLog.recordBytes(entries.keyLength(), pointer);
          live.merge(pointer.segment(), bytes, Long::sum);
        } else {
          checkStale(entries, pointer);
        }
      }
    }
  }

  private void checkStale(EntryCursor entry, ValuePointer pointer) {
    byte[] key = new byte[entry.keyLength()];
    entry.keyBuffer().get(entry.keyOffset(), key);
    newest.clear();
    view.findInFiles(key, key.length, KeyHash.hash(key, 0, key.length), newest);
    int keyspace = KeyspacePrefix.id(entry.keyBuffer(), entry.keyOffset());
    if (newest.seqno() <= entry.seqno() && version.keyspaces().isLive(keyspace)) {
      throw new CorruptionException(
          StoreFileName.valueLog(pointer.segment()),
          pointer.offset(),
          "the segment is gone, but the newest entry of a key points into it");
    }
  }
}
