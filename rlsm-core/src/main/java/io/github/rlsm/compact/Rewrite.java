// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.policy.Plan;
import io.github.rlsm.policy.RunShape;
import io.github.rlsm.read.MergingCursor;
import io.github.rlsm.version.KeyspaceCatalog;
import io.github.rlsm.version.Run;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.TableMeta;
import java.util.List;
import java.util.function.Consumer;

/** Merges sorted sources into new tables, keeping the newest version of each key. */
final class Rewrite {

  private final TableFactory tables;
  private final KeyspaceCatalog keyspaces;
  private final NewerRuns level0;
  private final DeadValues dead;

  Rewrite(TableFactory tables, KeyspaceCatalog keyspaces, NewerRuns level0, DeadValues dead) {
    this.tables = tables;
    this.keyspaces = keyspaces;
    this.level0 = level0;
    this.dead = dead;
  }

  /**
   * The entries of a merge.
   *
   * @param cursors newest first, ascending
   * @param entriesMax the most entries that they probably have together
   */
  record Sources(List<? extends EntryCursor> cursors, long entriesMax) {

    /** The part by which the estimates of the entries of slices may be too low. */
    private static final int ESTIMATE_ERROR = 8;

    /** Returns the entries of cursors with about that many entries. */
    static Sources of(List<? extends EntryCursor> cursors, long estimate) {
      return new Sources(cursors, estimate + estimate / ESTIMATE_ERROR);
    }
  }

  /**
   * Runs the merge.
   *
   * @param dropsTombstones whether no older run lies below the sources, see the plans
   * @param isCold whether the sources were not in memory; then the new tables do not stay in memory
   *     that others need
   */
  Made run(
      TableFactory.WriteCause cause, Sources sources, boolean dropsTombstones, boolean isCold) {
    try (TableFactory.Output output = tables.begin(cause, sources.entriesMax())) {
      if (isCold) {
        output.forgetPages();
      }
      merge(sources, dropsTombstones, output::add);
      return new Made(output.finish(), List.of(), 0, List.of());
    }
  }

  /**
   * The result of a rewrite.
   *
   * @param tables the new tables
   * @param segments the new segments that the tables point into
   * @param movedBytes bytes of records that were moved to these segments
   * @param droppedSegments the numbers of the new segments that were dropped from memory
   */
  record Made(
      List<TableMeta> tables,
      List<SegmentAccount> segments,
      long movedBytes,
      List<Integer> droppedSegments) {}

  /**
   * Runs the merge, and moves values of given segments to new segments.
   *
   * @param move the values to move
   */
  Made runMoving(
      Sources sources,
      boolean dropsTombstones,
      CompactionJob.ValuePlaces places,
      Plan.Clean.Move move) {
    try (TableFactory.Output output =
            tables.begin(TableFactory.WriteCause.CLEAN, sources.entriesMax());
        ValueRelocation values = new ValueRelocation(output, move, places, level0, dead)) {
      merge(sources, dropsTombstones, values::add);
      return moved(output, values);
    }
  }

  /**
   * Moves values of given segments to new segments, and writes only the entries with moved values.
   * The entries that were read become stale.
   *
   * @param entries all entries that point into these segments, from adjacent runs of a partition
   * @param move the values to move
   */
  Made moveOnTop(
      SegmentPointerScan entries, CompactionJob.ValuePlaces places, Plan.Clean.Move move) {
    try (TableFactory.Output output =
            tables.begin(TableFactory.WriteCause.CLEAN, entries.countMax());
        ValueRelocation values = new ValueRelocation(output, move, places, level0, dead)) {
      MergingCursor merged = new MergingCursor(entries.cursors(), false, values::drop);
      for (boolean more = merged.seekFirst(); more; more = merged.next()) {
        CursorEntry entry = merged.entry();
        if (!keyspaces.isLive(entry) || entries.isShadowed(entry, merged.source())) {
          values.drop(entry);
        } else {
          values.addMoved(entry);
        }
      }
      return moved(output, values);
    }
  }

  private static Made moved(TableFactory.Output output, ValueRelocation values) {
    values.finish();
    return new Made(output.finish(), values.keep(), values.movedBytes(), values.droppedSegments());
  }

  private void merge(Sources sources, boolean dropsTombstones, Consumer<CursorEntry> output) {
    MergingCursor merged = new MergingCursor(sources.cursors(), false, dead::add);
    for (boolean more = merged.seekFirst(); more; more = merged.next()) {
      CursorEntry entry = merged.entry();
      if (!keyspaces.isLive(entry)) {
        dead.add(entry);
      } else if (entry.kind() != EntryKind.DELETE || !dropsTombstones) {
        output.accept(entry);
      }
    }
  }

  /** A run of a whole table, with a range no wider than its keys. */
  static Run run(TableMeta table) {
    return new Run(
        table.number(),
        RunShape.span(table.keys().smallest(), table.keys().largest()),
        table.fileBytes(),
        table.entries());
  }
}
