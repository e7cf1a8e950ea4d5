// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.policy.RunShape;
import io.github.rlsm.read.MergingCursor;
import io.github.rlsm.version.KeyspaceCatalog;
import io.github.rlsm.version.Run;
import io.github.rlsm.version.TableMeta;
import java.util.List;

/** Merges sorted sources into new tables; the newest version of each key wins. */
final class Rewrite {

  private final TableFactory tables;
  private final LiveKeys live;
  private final DeadValues dead;

  Rewrite(TableFactory tables, KeyspaceCatalog keyspaces, DeadValues dead) {
    this.tables = tables;
    this.live = new LiveKeys(keyspaces);
    this.dead = dead;
  }

  /**
   * Runs the merge.
   *
   * @param sources newest first, ascending
   * @param dropsTombstones whether nothing older lies beneath, see the plans
   */
  List<TableMeta> run(
      WriteCause cause, List<? extends EntryCursor> sources, boolean dropsTombstones) {
    MergingCursor merged = new MergingCursor(sources, false, dead::add);
    try (TableFactory.Output output = tables.begin(cause)) {
      for (boolean more = merged.seekFirst(); more; more = merged.next()) {
        if (!live.contains(merged)) {
          dead.add(merged);
        } else if (merged.kind() != EntryKind.DELETE || !dropsTombstones) {
          output.add(merged);
        }
      }
      return output.finish();
    }
  }

  /** The run that is all of a table, with a range no wider than its keys. */
  static Run run(TableMeta table) {
    return new Run(
        table.number(),
        RunShape.span(table.smallest(), table.largest()),
        table.fileBytes(),
        table.entries());
  }
}
