// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.background;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.table.Table;
import io.github.rlsm.version.Version;
import io.github.rlsm.versionset.LivePartition;
import io.github.rlsm.versionset.PinnedVersion;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * Brings into memory what clients of a store at rest will need. Only files count that this process
 * has written. Nothing shows whether clients need older ones, which may be many.
 *
 * <ul>
 *   <li>Indexes: index tables, and fences and filters of all tables. Jobs write more values than
 *       these, so at rest most of them may have left memory.
 *   <li>Tables, into memory that nothing uses. Old files are deleted after the job that replaces
 *       them, so memory is short during the job and free afterwards. Without this, clients would
 *       fill it by one random read after the other. A table that was completely in memory at rest
 *       is not loaded again.
 *   <li>After all tables, the {@linkplain StoreFiles#droppedSegments value segments} that jobs have
 *       dropped from memory. A page of a table serves many keys, and one of a segment only few.
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

  /** The numbers of live tables that were completely in memory once the store was at rest. */
  @GuardedBy("this")
  private final Set<Long> loaded = new HashSet<>();

  private volatile boolean waitsForMemory;

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

  /** Whether files do not fit in memory, or are being loaded. */
  boolean waitsForMemory() {
    return waitsForMemory;
  }

  /**
   * Loads until memory is full, or until the store is no longer at rest. One thread at a time
   * loads: two would fill the same memory.
   */
  synchronized void run() {
    PinnedVersion<Table> pinned = files.versions().pin();
    try {
      NavigableMap<Long, Table> tables = tables(pinned);
      tables.values().forEach(table -> table.keepIndex(goesOn));
      loaded.retainAll(tables.keySet());
      tables.keySet().removeAll(loaded);
      // Memory that becomes free from here on must lead to another run.
      waitsForMemory = !tables.isEmpty() || !files.droppedSegments().isEmpty();
      if (waitsForMemory) {
        waitsForMemory = load(tables, pinned.version()) < 0;
      }
    } finally {
      pinned.unpin();
    }
  }

  /** The tables of a version that this process has written, by number. Opens no other table. */
  private NavigableMap<Long, Table> tables(PinnedVersion<Table> pinned) {
    NavigableMap<Long, Table> tables = new TreeMap<>();
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

  /** Returns the free bytes that are left; negative if a file did not fit. */
  @GuardedBy("this")
  private long load(Map<Long, Table> tables, Version version) {
    long free = files.freeMemoryBytes();
    for (Map.Entry<Long, Table> table : tables.entrySet()) {
      if (free < 0 || !goesOn.getAsBoolean()) {
        return free;
      }
      free = table.getValue().load(free);
      if (free >= 0) {
        loaded.add(table.getKey());
      }
    }
    while (free >= 0 && goesOn.getAsBoolean()) {
      Integer segment = files.droppedSegments().ceiling(0);
      if (segment == null) {
        return free;
      }
      free = loadSegment(segment, version, free);
      if (free >= 0) {
        files.droppedSegments().remove(segment);
      }
    }
    return free;
  }

  private long loadSegment(int number, Version version, long free) {
    try {
      return version.segment(number) == null ? free : files.values().load(number, free);
    } catch (CorruptionException e) {
      survey.damaged(number, e);
      return free;
    }
  }
}
