// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.CheckListener;
import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.KvException;
import io.github.rlsm.table.Table;
import io.github.rlsm.valuelog.ValueLog;
import io.github.rlsm.valuelog.ValueReader;
import io.github.rlsm.version.Run;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.Version;
import io.github.rlsm.versionset.LivePartition;
import io.github.rlsm.versionset.PinnedVersion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Reads every value that a pointer of a version leads to, counts the pointers, and compares the
 * counts with the version's accounts. Each pointer must lead into a segment with an account.
 *
 * <p>Pointers are gathered into batches, and the values of a batch are read in file order. So the
 * device reads ahead, although tables are in key order.
 *
 * <p>Threads: one at a time.
 */
public final class ValueCheck {

  private static final int BATCH_POINTERS = 8192;
  private static final int BATCH_KEY_BYTES = 8 << 20;

  /** Bytes that the kernel is asked to read ahead at a time. */
  private static final int AHEAD_BYTES = 4 << 20;

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Entry(ValuePointer pointer, byte[] key) {

    long end() {
      return pointer.offset() + ValueLog.recordBytes(key.length, pointer);
    }
  }

  private final PinnedVersion<Table> files;
  private final Version version;
  private final ValueLog log;
  private final Map<Long, List<KeyRange>> unreadable;
  private final CheckListener listener;
  private final ValueReader values = new ValueReader();
  private final Map<Integer, Long> live = new HashMap<>();
  private final List<Entry> batch = new ArrayList<>();
  private int batchKeyBytes;
  private boolean isWhole = true;

  /**
   * Creates a check of a pinned version.
   *
   * @param unreadable by table, the key ranges to skip because they are known to be damaged, in
   *     ascending order
   */
  public ValueCheck(
      PinnedVersion<Table> files,
      ValueLog log,
      Map<Long, List<KeyRange>> unreadable,
      CheckListener listener) {
    this.files = files;
    this.log = log;
    this.unreadable = unreadable;
    this.listener = listener;
    this.version = files.version();
  }

  /** Reads the values of every run. Accounts are compared only if all pointers could be read. */
  public void run() {
    for (int i = 0; i < version.l0().size(); i++) {
      int index = i;
      read(version.l0().get(i), () -> files.l0Table(index));
    }
    for (int i = 0; i < version.partitions().size(); i++) {
      LivePartition<Table> partition = files.partition(i);
      for (int j = 0; j < partition.partition().runs().size(); j++) {
        int index = j;
        read(partition.partition().runs().get(j), () -> partition.table(index));
      }
    }
    readBatch();
    if (isWhole) {
      checkAccounts();
    }
  }

  private void read(Run run, Supplier<Table> table) {
    List<KeyRange> damaged = unreadable.getOrDefault(run.table(), List.of());
    isWhole &= damaged.isEmpty();
    for (KeyRange range : without(run.range(), damaged)) {
      Run part = new Run(run.table(), range, run.bytes(), run.entries(), run.movedOut());
      try {
        MappedFaults.using(StoreFileName.table(run.table()), () -> {
          gather(RunEntries.of(part, table.get()));
          return part;
        });
      } catch (KvException e) {
        // The table was sound when it was checked before.
        isWhole = false;
        listener.damage(StoreFileName.table(run.table()), 0, range, e);
      }
    }
  }

  /** Subtracts ranges in ascending order from a range, and returns the ranges that remain. */
  static List<KeyRange> without(KeyRange range, List<KeyRange> others) {
    List<KeyRange> left = new ArrayList<>();
    KeyRange rest = range;
    for (KeyRange other : others) {
      if (other.from() != null) {
        KeyRange before = rest.intersection(KeyRange.of(null, other.from()));
        if (!before.isEmpty()) {
          left.add(before);
        }
      }
      if (other.to() == null) {
        return left;
      }
      rest = rest.intersection(KeyRange.of(other.to(), null));
    }
    if (!rest.isEmpty()) {
      left.add(rest);
    }
    return left;
  }

  private void gather(EntryCursor entries) {
    for (boolean more = entries.seekFirst(); more; more = entries.next()) {
      CursorEntry entry = entries.entry();
      if (entry.kind() == EntryKind.POINTER) {
        ValuePointer pointer = ValuePointer.read(entry.buffer(), entry.valueOffset());
        byte[] key = new byte[entry.keyLength()];
        entry.buffer().get(entry.keyOffset(), key);
        batch.add(new Entry(pointer, key));
        batchKeyBytes += key.length;
        if (batch.size() >= BATCH_POINTERS || batchKeyBytes >= BATCH_KEY_BYTES) {
          MappedFaults.check();
          readBatch();
        }
      }
    }
  }

  private void readBatch() {
    batch.sort(Comparator.<Entry>comparingInt(each -> each.pointer.segment())
        .thenComparingInt(each -> each.pointer.offset()));
    int asked = 0;
    for (int i = 0; i < batch.size(); i++) {
      asked = Math.max(asked, i);
      if (asked == i) {
        asked = askFrom(i);
      }
      read(batch.get(i));
    }
    batch.clear();
    batchKeyBytes = 0;
  }

  /**
   * Requests read-ahead for values of the batch, starting at an entry. Returns the index of the
   * first entry that is not included.
   */
  private int askFrom(int first) {
    Entry from = batch.get(first);
    long end = from.end();
    int next = first + 1;
    while (next < batch.size()
        && batch.get(next).pointer.segment() == from.pointer.segment()
        && batch.get(next).end() - from.pointer.offset() <= AHEAD_BYTES) {
      end = Math.max(end, batch.get(next).end());
      next++;
    }
    log.mayNeed(from.pointer.segment(), from.pointer.offset(), end);
    return next;
  }

  private void read(Entry entry) {
    ValuePointer pointer = entry.pointer;
    String file = StoreFileName.valueLog(pointer.segment());
    long bytes = ValueLog.recordBytes(entry.key.length, pointer);
    live.merge(pointer.segment(), bytes, Long::sum);
    try {
      if (version.segment(pointer.segment()) == null) {
        throw new CorruptionException(
            file, pointer.offset(), "the segment is gone, but a table points into it");
      }
      MappedFaults.using(
          file, () -> values.readShared(log, pointer, entry.key, 0, entry.key.length));
    } catch (KvException e) {
      byte[] after = Arrays.copyOf(entry.key, entry.key.length + 1);
      listener.damage(file, pointer.offset(), KeyRange.of(entry.key, after), e);
    }
    listener.read(bytes);
  }

  private void checkAccounts() {
    for (SegmentAccount account : version.segments()) {
      long found = live.getOrDefault(account.number(), 0L);
      if (found != account.liveBytes()) {
        String file = StoreFileName.valueLog(account.number());
        CorruptionException cause = new CorruptionException(
            file, 0, "tables point at " + found + " bytes, the account says " + account);
        listener.damage(file, 0, null, cause);
      }
    }
  }
}
