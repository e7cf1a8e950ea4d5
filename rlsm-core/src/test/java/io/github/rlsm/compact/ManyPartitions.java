// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.table.PageCache;
import io.github.rlsm.table.ReadCounters;
import io.github.rlsm.table.Table;
import io.github.rlsm.table.TableWriter;
import io.github.rlsm.table.TestEntry;
import io.github.rlsm.valuelog.ValueLog;
import io.github.rlsm.version.Partition;
import io.github.rlsm.version.Run;
import io.github.rlsm.version.TableMeta;
import io.github.rlsm.version.VersionEdit;
import io.github.rlsm.versionset.ManifestRecovery;
import io.github.rlsm.versionset.PinnedVersion;
import io.github.rlsm.versionset.VersionHost;
import io.github.rlsm.versionset.VersionSet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A version set of partitions with real tables in memory. A key is the number of a partition and a
 * number within it. A gap follows each partition.
 */
final class ManyPartitions implements AutoCloseable {

  static final int ENTRIES = 300;
  private static final long STORE_ID = 1;

  final VersionSet<Table> versions;
  final SimulatedDirectory directory = new SimulatedDirectory();
  private final Map<Long, ReadCounters> counters = new HashMap<>();
  final TableFactory tables;
  private final ValueLog values = new ValueLog(directory, STORE_ID, () -> 0, () -> {});

  /** The values that jobs read; there are none to move. */
  final CompactionJob.ValuePlaces places = new CompactionJob.ValuePlaces(
      values,
      () -> {
        throw new AssertionError("no value should be moved");
      },
      task -> {},
      1);

  ManyPartitions(int filterBitsPerKey) {
    versions = VersionSet.open(
        directory,
        ManifestRecovery.recover(directory).withStoreId(STORE_ID, Map.of()),
        new Host(),
        1L << 40);
    TableWriter.Settings defaults = TableWriter.Settings.DEFAULT;
    tables = new TableFactory(
        directory,
        new TableWriter.Settings(512, filterBitsPerKey, defaults.compression()),
        STORE_ID,
        1L << 40,
        versions::newFileNumber,
        new TableFactory.Control((cause, bytes) -> {}, () -> false));
  }

  /** Adds a partition. Each of its runs starts at a first key and continues in steps. */
  void add(int partition, int step, int... firstKeys) {
    VersionEdit.Builder edit = VersionEdit.builder();
    List<Run> runs = new ArrayList<>();
    for (int first : firstKeys) {
      TableMeta table = write(partition, first, step);
      edit.addTable(table);
      runs.add(Rewrite.run(table));
    }
    KeyRange range = KeyRange.of(key(partition, 0), key(partition, Integer.MAX_VALUE));
    versions.install(
        edit.replacePartitions(List.of(), List.of(new Partition(range, runs))).build());
  }

  /** Adds a run to a partition. */
  void append(int index, int step, int firstKey) {
    TableMeta table = write(index, firstKey, step);
    versions.install(current -> {
      Partition partition = current.partitions().get(index);
      List<Run> runs = new ArrayList<>(partition.runs());
      runs.add(Rewrite.run(table));
      return VersionEdit.builder()
          .addTable(table)
          .replacePartitions(List.of(partition), List.of(new Partition(partition.range(), runs)))
          .build();
    });
  }

  /** Adds a run within one partition to level 0. */
  void addL0(int partition, int step, int firstKey) {
    VersionEdit.Builder edit = VersionEdit.builder();
    TableMeta table = write(partition, firstKey, step);
    edit.addTable(table);
    edit.addL0(Run.whole(table));
    versions.install(edit.build());
  }

  /** Adds a run to level 0 with a range of keys in each of several ascending partitions. */
  void addL0Across(int[] partitions, int step, int firstKey) {
    VersionEdit.Builder edit = VersionEdit.builder();
    try (TableFactory.Output output = tables.begin(TableFactory.WriteCause.CLEAN, 1_000_000)) {
      for (int partition : partitions) {
        fill(output, partition, firstKey, step);
      }
      TableMeta table = output.finish().get(0);
      edit.addTable(table);
      edit.addL0(Run.whole(table));
    }
    versions.install(edit.build());
  }

  private TableMeta write(int partition, int first, int step) {
    try (TableFactory.Output output = tables.begin(TableFactory.WriteCause.CLEAN, 1_000_000)) {
      fill(output, partition, first, step);
      return output.finish().get(0);
    }
  }

  private static void fill(TableFactory.Output output, int partition, int first, int step) {
    for (int i = 0; i < ENTRIES; i++) {
      byte[] key = key(partition, first + i * step);
      output.add(TestEntry.put(first + 1, key).at(key));
    }
  }

  /** The number of pages of a table read so far. */
  long pagesRead(long table) {
    return counters.containsKey(table) ? counters.get(table).pagesRead() : 0;
  }

  /** Returns the number of entries in the runs of a partition. */
  static long entries(Partition partition) {
    return partition.runs().stream().mapToLong(Run::entries).sum();
  }

  private static byte[] key(int partition, int number) {
    return ByteBuffer.allocate(8).putInt(partition).putInt(number).array();
  }

  /** Replaces a partition by an equal one: an edit that changes only this partition. */
  void touch(int index) {
    versions.install(current -> {
      Partition partition = current.partitions().get(index);
      return VersionEdit.builder()
          .replacePartitions(List.of(partition), List.of(partition))
          .build();
    });
  }

  PinnedVersion<Table> pin() {
    return versions.pin();
  }

  @Override
  public void close() {
    versions.close();
  }

  private final class Host implements VersionHost<Table> {

    private final PageCache cache = new PageCache(1 << 20);

    @Override
    public Table openTable(TableMeta meta) {
      MappedFile file = directory.openReadOnly(StoreFileName.table(meta.number()));
      ReadCounters own = counters.computeIfAbsent(meta.number(), number -> new ReadCounters());
      return Table.open(file, STORE_ID, meta.number(), new Table.Access(cache, own, false));
    }

    @Override
    public void closeTable(Table table) {
      table.close();
    }

    @Override
    public void punchSegment(int number, long[] ranges) {
      throw new UnsupportedOperationException("there is no value log");
    }

    @Override
    public void freeSegment(int number) {
      throw new UnsupportedOperationException("there is no value log");
    }

    @Override
    public void execute(Runnable task) {
      task.run();
    }
  }
}
