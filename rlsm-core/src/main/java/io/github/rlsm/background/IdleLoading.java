// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.background;

import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.table.Table;
import io.github.rlsm.version.Version;
import io.github.rlsm.versionset.LivePartition;
import io.github.rlsm.versionset.PinnedVersion;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Brings into memory what clients of a store at rest will need. Only files count that this process
 * has written. Nothing shows whether clients need older ones, which may be many.
 *
 * <ul>
 *   <li>Indexes: index tables, and fences and filters of all tables. Jobs write more values than
 *       these, so at rest most of them may have left memory.
 *   <li>{@link DroppedFiles}, into memory that nothing uses. Old files are deleted after the job
 *       that replaces them, so memory is short during the job and free afterwards. Without this,
 *       clients would fill it by one random read after the other.
 * </ul>
 *
 * <p>Threads: any.
 */
final class IdleLoading {

  private final StoreFiles files;
  private final SpaceSurvey survey;
  private final BooleanSupplier goesOn;

  /** Tables from before the store was opened have smaller numbers. */
  private final long firstNumber;

  /**
   * Creates a loader of the files that will be written from now on.
   *
   * @param survey is told about damaged value segments
   * @param goesOn whether the store is still at rest
   */
  IdleLoading(StoreFiles files, SpaceSurvey survey, BooleanSupplier goesOn) {
    this.files = files;
    this.survey = survey;
    this.goesOn = goesOn;
    this.firstNumber = files.versions().current().nextFileNumber();
  }

  /**
   * Loads until memory is full, or until the store is no longer at rest. One thread at a time
   * loads: two would fill the same memory.
   */
  synchronized void run() {
    PinnedVersion<Table> pinned = files.versions().pin();
    try {
      Map<Long, Table> tables = tables(pinned);
      tables.values().forEach(table -> table.keepIndex(goesOn));
      loadDropped(pinned.version(), tables);
    } finally {
      pinned.unpin();
    }
  }

  /** The tables of a version that this process has written, by number. Opens no other table. */
  private Map<Long, Table> tables(PinnedVersion<Table> pinned) {
    Map<Long, Table> tables = new LinkedHashMap<>();
    for (int i = 0; i < pinned.l0Count(); i++) {
      long number = pinned.version().l0().get(i).table();
      if (number >= firstNumber) {
        tables.put(number, pinned.l0Table(i));
      }
    }
    for (int i = 0; i < pinned.partitionCount(); i++) {
      LivePartition<Table> partition = pinned.partition(i);
      for (int run = 0; run < partition.runCount(); run++) {
        long number = partition.run(run).table();
        if (number >= firstNumber) {
          tables.put(number, partition.table(run));
        }
      }
    }
    return tables;
  }

  /** A file that does not fit stays among the dropped ones. Each is loaded at most once. */
  private void loadDropped(Version version, Map<Long, Table> tables) {
    long free = files.dropped().isEmpty() ? 0 : files.freeMemoryBytes();
    while (free > 0 && goesOn.getAsBoolean()) {
      StoreFileName next = files.dropped().first();
      if (next == null) {
        return;
      }
      if (next.type() == StoreFileName.Type.TABLE) {
        Table table = tables.get(next.number());
        free = table == null ? free : table.load(free); // null: another job has replaced it
      } else {
        free = loadSegment((int) next.number(), version, free);
      }
      if (free >= 0) {
        files.dropped().remove(next);
      }
    }
  }

  /** Returns the free bytes that are left; negative if the segment did not fit. */
  private long loadSegment(int number, Version version, long free) {
    try {
      return version.segment(number) == null ? free : files.values().load(number, free);
    } catch (CorruptionException e) {
      survey.damaged(number, e);
      return free;
    }
  }
}
