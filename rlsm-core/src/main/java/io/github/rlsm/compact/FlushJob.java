// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.log.RecordLayout;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.memory.MemoryCursor;
import io.github.rlsm.valuelog.ValueLog;
import io.github.rlsm.version.KeyspaceCatalog;
import io.github.rlsm.version.Run;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.TableMeta;
import io.github.rlsm.version.VersionEdit;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Writes a sealed memory component to level 0. Values below the separation threshold go into the
 * table. A larger value is already in the generation's value segment, and the table gets a pointer
 * to it.
 *
 * <p>The value segment is forced before the table, so that no durable pointer ever points at bytes
 * that are not durable (I-5; WiscKey section 3.3.3). The job also truncates the value segment after
 * its last record: the file was preallocated at the maximum length of segments, and no further
 * records follow.
 *
 * <p>Entries are read in key order, from random places in the write-ahead segment. So the few pages
 * that have left memory are read back first, and again if more pages leave memory during the job.
 *
 * <p>Threads: one at a time.
 */
public final class FlushJob {

  /** Entries between two looks at the clock; a power of two. */
  private static final int ENTRIES_AT_ONCE = 4096;

  /**
   * These entries normally take a few milliseconds. If they take this long, the job waits for the
   * device: some hundred pages that it is about to read have left memory.
   */
  private static final long SLOW_NANOS = 50_000_000;

  private final MemoryComponent component;
  private final TableFactory tables;
  private final KeyspaceCatalog keyspaces;
  private final int separationBytes;
  private final Runnable readAhead;
  private final LongSupplier nanoClock;
  private long liveValueBytes;

  /**
   * Creates a flush.
   *
   * @param component sealed, and published up to its generation's end
   * @param separationBytes minimum length of a value that stays in the value log if it is there
   * @param readAhead reads the generation's whole write-ahead segment in large pieces
   */
  public FlushJob(
      MemoryComponent component,
      TableFactory tables,
      KeyspaceCatalog keyspaces,
      int separationBytes,
      Runnable readAhead,
      LongSupplier nanoClock) {
    this.component = component;
    this.tables = tables;
    this.keyspaces = keyspaces;
    this.separationBytes = separationBytes;
    this.readAhead = readAhead;
    this.nanoClock = nanoClock;
  }

  /** Runs the flush. Returns the edit that adds its tables and advances the flushed seqno. */
  public VersionEdit run() {
    LogGeneration log = component.log();
    VersionEdit.Builder edit = VersionEdit.builder();
    if (log.hasValues()) {
      log.file(true).force(0, log.usedBytes(true));
      log.file(true).truncate(log.usedBytes(true));
    }
    try (TableFactory.Output output =
        tables.begin(TableFactory.WriteCause.FLUSH, component.claimedEntries())) {
      writeEntries(output);
      List<TableMeta> written = output.finish();
      for (TableMeta table : written) {
        edit.addTable(table);
        edit.addL0(Run.whole(table));
      }
    }
    if (log.hasValues()) {
      long total = log.recordBytes(true) - log.paddingBytes();
      long dead = total - liveValueBytes;
      edit.addSegment(new SegmentAccount(ValueLog.numberOf(log), total, dead, log.paddingBytes()));
    }
    edit.flushed(log.endSeqno(), log.number() + 1);
    if (log.lastPart() > 0) {
      edit.parts(log.lastPart());
    }
    return edit.build();
  }

  private void writeEntries(TableFactory.Output output) {
    MemoryCursor entries = component.inOrder();
    readAhead.run();
    long since = nanoClock.getAsLong();
    int count = 0;
    for (boolean more = entries.seekFirst(); more; more = entries.next()) {
      if ((++count & (ENTRIES_AT_ONCE - 1)) == 0) {
        since = readAheadIfSlow(since);
      }
      CursorEntry entry = entries.entry();
      if (!keyspaces.isLive(entry)) {
        continue;
      }
      boolean separated = RecordLayout.inValueLog(entries.location())
          && entry.kind() == EntryKind.PUT
          && entry.valueLength() >= separationBytes;
      if (separated) {
        addPointer(output, entry, entries.location());
      } else {
        output.add(entry);
      }
    }
  }

  /** Returns the time at which the next group of entries begins. */
  private long readAheadIfSlow(long since) {
    long now = nanoClock.getAsLong();
    if (now - since < SLOW_NANOS) {
      return now;
    }
    readAhead.run();
    return nanoClock.getAsLong();
  }

  private void addPointer(TableFactory.Output output, CursorEntry entry, int location) {
    ValuePointer pointer = ValuePointer.of(
        ValueLog.numberOf(component.log()),
        RecordLayout.offset(location),
        RecordLayout.inBatch(location),
        entry.valueLength());
    liveValueBytes += ValueLog.recordBytes(entry.keyLength(), pointer);
    output.addPointer(entry, pointer);
  }
}
