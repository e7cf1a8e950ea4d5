// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.background;

import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.table.Table;
import io.github.rlsm.versionset.LivePartition;
import io.github.rlsm.versionset.PinnedVersion;
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
      keepIndexes(pinned);
      loadDropped(pinned);
    } finally {
      pinned.unpin();
    }
  }

  /** Makes the kernel prefer the indexes to pages of values. */
  private void keepIndexes(PinnedVersion<Table> pinned) {
    for (int i = 0; i < pinned.l0Count(); i++) {
      keepIndex(pinned.l0Table(i));
    }
    for (int i = 0; i < pinned.partitionCount(); i++) {
      LivePartition<Table> partition = pinned.partition(i);
      for (int run = 0; run < partition.runCount(); run++) {
        keepIndex(partition.table(run));
      }
    }
  }

  private void keepIndex(Table table) {
    if (table.fileNumber() >= firstNumber) {
      table.keepIndex(goesOn);
    }
  }

  /** A file that does not fit stays among the dropped ones. Each is loaded at most once. */
  private void loadDropped(PinnedVersion<Table> pinned) {
    long free = files.dropped().isEmpty() ? 0 : files.freeMemoryBytes();
    while (free > 0 && goesOn.getAsBoolean()) {
      StoreFileName next = files.dropped().first();
      if (next == null) {
        return;
      }
      free = next.type() == StoreFileName.Type.TABLE
          ? loadTable(next.number(), pinned, free)
          : loadSegment((int) next.number(), pinned, free);
      if (free >= 0) {
        files.dropped().remove(next);
      }
    }
  }

  /** Returns the free bytes that are left; negative if the file did not fit. */
  private static long loadTable(long number, PinnedVersion<Table> pinned, long free) {
    for (int i = 0; i < pinned.partitionCount(); i++) {
      LivePartition<Table> partition = pinned.partition(i);
      for (int run = 0; run < partition.runCount(); run++) {
        if (partition.run(run).table() == number) {
          return partition.table(run).load(free);
        }
      }
    }
    return free; // another job has replaced it
  }

  private long loadSegment(int number, PinnedVersion<Table> pinned, long free) {
    try {
      return pinned.version().segment(number) == null ? free : files.values().load(number, free);
    } catch (CorruptionException e) {
      survey.damaged(number, e);
      return free;
    }
  }
}
