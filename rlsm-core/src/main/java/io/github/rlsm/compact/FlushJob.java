// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.MappedFile.Advice;
import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.log.RecordLayout;
import io.github.rlsm.log.RelocatedSegment;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.memory.MemoryCursor;
import io.github.rlsm.valuelog.ValueLog;
import io.github.rlsm.version.KeyspaceCatalog;
import io.github.rlsm.version.Run;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.TableMeta;
import io.github.rlsm.version.VersionEdit;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes a sealed memory component to level 0. Values below the separation threshold go into the
 * table. A larger value is already in the generation's value segment, and the table gets a pointer
 * to it. Or all such values are copied to new segments in key order, if
 * {@link io.github.rlsm.policy.FlushPlanner} thinks that worthwhile. Then the value segment is no
 * longer needed.
 *
 * <p>Value segments are forced before the table, so that no durable pointer ever points at bytes
 * that are not durable (I-5; WiscKey section 3.3.3). The job also truncates the generation's value
 * segment after its last record: the file was preallocated at the maximum length of segments, and
 * no further records follow.
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
  private final LargeValues large;
  private final Runnable readAhead;
  private final LongSupplier nanoClock;
  private long liveValueBytes;
  private long sortedBytes;

  /**
   * Creates a flush.
   *
   * @param component sealed, and published up to its generation's end
   * @param large what to do with values in the value log
   * @param readAhead reads the generation's whole write-ahead segment in large pieces
   */
  public FlushJob(
      MemoryComponent component,
      TableFactory tables,
      KeyspaceCatalog keyspaces,
      LargeValues large,
      Runnable readAhead,
      LongSupplier nanoClock) {
    this.component = component;
    this.tables = tables;
    this.keyspaces = keyspaces;
    this.large = large;
    this.readAhead = readAhead;
    this.nanoClock = nanoClock;
  }

  /**
   * What a flush does with values in the value log.
   *
   * @param separationBytes minimum length of a value that stays in the value log if it is there
   * @param log the value log
   * @param sorted creates segments for values in key order; empty if the values stay in the
   *     generation's value segment
   */
  public record LargeValues(
      int separationBytes, ValueLog log, Optional<Supplier<RelocatedSegment>> sorted) {}

  /** Runs the flush. Returns the edit that adds its tables and advances the flushed seqno. */
  public VersionEdit run() {
    readAhead.run();
    if (component.log().hasValues() && large.sorted.isPresent()) {
      try (SortedValues values = new SortedValues(large.log, large.sorted.get())) {
        forEach((entry, location) -> {
          if (isLarge(entry, location)) {
            values.add(entry, pointer(entry, location));
          }
        });
        if (values.areWorthCopying()) {
          return write(values);
        }
      } catch (UnreadableValueException e) {
        // The flush must not fail for one value. All values stay where they are, and a read of this
        // one reports the damage.
        readAhead.run();
      }
    }
    return write(null);
  }

  /**
   * Returns the bytes of values that were copied to new segments. If it is positive, no table
   * points into the generation's value segment.
   */
  public long sortedBytes() {
    return sortedBytes;
  }

  private VersionEdit write(@Nullable SortedValues sorted) {
    LogGeneration log = component.log();
    boolean hasValues = log.hasValues() && sorted == null;
    VersionEdit.Builder edit = VersionEdit.builder();
    if (hasValues) {
      log.file(true).force(0, log.usedBytes(true));
      log.file(true).truncate(log.usedBytes(true));
    }
    try (TableFactory.Output output =
        tables.begin(TableFactory.WriteCause.FLUSH, component.claimedEntries())) {
      if (sorted != null) {
        log.file(true).advise(Advice.WILL_NEED, 0, log.usedBytes(true));
        sorted.create();
      }
      forEach((entry, location) -> write(output, entry, location, sorted));
      List<SegmentAccount> accounts = sorted == null ? List.of() : sorted.finish();
      accounts.forEach(edit::addSegment);
      for (TableMeta table : output.finish()) {
        edit.addTable(table);
        edit.addL0(Run.whole(table));
      }
      if (sorted != null) {
        sorted.keep();
        sortedBytes = accounts.stream().mapToLong(SegmentAccount::totalBytes).sum();
      }
    }
    if (hasValues) {
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

  private interface Visitor {
    void visit(CursorEntry entry, int location);
  }

  /** Visits the newest version of every key of a live keyspace, in key order. */
  private void forEach(Visitor visitor) {
    MemoryCursor entries = component.inOrder();
    long since = nanoClock.getAsLong();
    int count = 0;
    for (boolean more = entries.seekFirst(); more; more = entries.next()) {
      if ((++count & (ENTRIES_AT_ONCE - 1)) == 0) {
        since = readAheadIfSlow(since);
      }
      CursorEntry entry = entries.entry();
      if (keyspaces.isLive(entry)) {
        visitor.visit(entry, entries.location());
      }
    }
  }

  private boolean isLarge(CursorEntry entry, int location) {
    return RecordLayout.inValueLog(location)
        && entry.kind() == EntryKind.PUT
        && entry.valueLength() >= large.separationBytes;
  }

  private ValuePointer pointer(CursorEntry entry, int location) {
    return ValuePointer.of(
        ValueLog.numberOf(component.log()),
        RecordLayout.offset(location),
        RecordLayout.inBatch(location),
        entry.valueLength());
  }

  private void write(
      TableFactory.Output output, CursorEntry entry, int location, @Nullable SortedValues sorted) {
    if (!isLarge(entry, location)) {
      output.add(entry);
      return;
    }
    ValuePointer old = pointer(entry, location);
    if (sorted == null) {
      liveValueBytes += ValueLog.recordBytes(entry.keyLength(), old);
      output.addPointer(entry, old);
    } else {
      output.addPointer(entry, sorted.copy(entry, old));
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
}
