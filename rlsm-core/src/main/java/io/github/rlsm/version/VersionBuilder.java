// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.io.StoreFileName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Applies an edit to a version. Each method throws an {@link IllegalStateException} if its change
 * does not fit. {@link #build} makes the checks that need the whole edit.
 *
 * <p>Threads: one thread at a time.
 */
final class VersionBuilder implements VersionEdit.Sink {

  private final Version base;

  private final List<TableMeta> addedTables = new ArrayList<>();
  private final Map<Long, Integer> linkChange = new HashMap<>();

  /** Newest last, because runs are appended; {@link Version#l0} has the reverse order. */
  private final List<Run> l0;

  private final List<Partition> addedPartitions = new ArrayList<>();

  /** Indexes into the base's partitions. */
  private final BitSet removedPartitions = new BitSet();

  private final TreeMap<Integer, SegmentAccount> segments = new TreeMap<>();
  private final TreeMap<String, String> options;
  private KeyspaceCatalog keyspaces;
  private long flushedSeqno;
  private long durableSeqno;
  private long partsGsn;
  private int firstGeneration;
  private long nextFileNumber;
  private int nextSegmentNumber;

  VersionBuilder(Version base) {
    this.base = base;
    l0 = new ArrayList<>(base.l0());
    Collections.reverse(l0);
    base.segments().forEach(segment -> segments.put(segment.number(), segment));
    options = new TreeMap<>(base.options());
    keyspaces = base.keyspaces();
    flushedSeqno = base.flushedSeqno();
    durableSeqno = base.durableSeqno();
    partsGsn = base.partsGsn();
    firstGeneration = base.firstGeneration();
    nextFileNumber = base.nextFileNumber();
    nextSegmentNumber = base.nextSegmentNumber();
  }

  Version build() {
    TableSet tables = base.tableSet().with(addedTables, linkChange);
    Collections.reverse(l0);
    return new Version(this, tables, partitions());
  }

  private PartitionIndex partitions() {
    if (addedPartitions.isEmpty() && removedPartitions.isEmpty()) {
      return base.index();
    }
    List<Partition> before = base.partitions();
    List<Partition> all = new ArrayList<>(before.size() + addedPartitions.size());
    for (int i = 0; i < before.size(); i++) {
      if (!removedPartitions.get(i)) {
        all.add(before.get(i));
      }
    }
    all.addAll(addedPartitions);
    all.sort((a, b) -> Arrays.compareUnsigned(start(a), start(b)));
    return new PartitionIndex(all);
  }

  private static byte[] start(Partition partition) {
    byte[] from = partition.range().from();
    return from == null ? new byte[0] : from;
  }

  @Override
  public void addTable(TableMeta table) {
    addedTables.add(table);
    nextFileNumber(table.number() + 1);
  }

  @Override
  public void addL0(Run run) {
    for (Run other : l0) {
      require(other.table() != run.table(), "table " + run.table() + " is in level 0 already");
    }
    l0.add(run);
    link(run, 1);
  }

  @Override
  public void removeL0(long table) {
    int index = l0.size() - 1;
    while (index >= 0 && l0.get(index).table() != table) {
      index--;
    }
    require(index >= 0, "table " + table + " is not in level 0");
    link(l0.remove(index), -1);
  }

  @Override
  public void addPartition(Partition partition) {
    addedPartitions.add(partition);
    partition.runs().forEach(run -> link(run, 1));
  }

  @Override
  public void removePartition(KeyRange range, int fingerprint) {
    int index = base.index().indexOf(range);
    require(index >= 0, "there is no partition over " + range);
    Partition partition = base.partitions().get(index);
    require(
        EditLayout.fingerprint(partition) == fingerprint,
        "the partition over " + range + " has changed since the edit was made");
    require(!removedPartitions.get(index), "the partition over " + range + " is removed twice");
    removedPartitions.set(index);
    partition.runs().forEach(run -> link(run, -1));
  }

  private void link(Run run, int change) {
    linkChange.merge(run.table(), change, Integer::sum);
  }

  @Override
  public void createKeyspace(int id, String name) {
    keyspaces = keyspaces.with(id, name);
  }

  @Override
  public void dropKeyspace(int id) {
    keyspaces = keyspaces.without(id);
  }

  @Override
  public void nextKeyspaceId(int id) {
    keyspaces = keyspaces.withNextId(id);
  }

  @Override
  public void flushed(long seqno, int generation) {
    require(
        seqno >= flushedSeqno && generation >= firstGeneration,
        "flushed cannot decrease to seqno " + seqno + ", generation " + generation);
    flushedSeqno = seqno;
    firstGeneration = generation;
  }

  @Override
  public void durable(long seqno) {
    require(seqno >= durableSeqno, "durable cannot decrease to seqno " + seqno);
    durableSeqno = seqno;
  }

  @Override
  public void parts(long gsn) {
    require(gsn >= partsGsn, "parts cannot decrease to " + gsn);
    partsGsn = gsn;
  }

  @Override
  public void addSegment(SegmentAccount segment) {
    require(
        segments.putIfAbsent(segment.number(), segment) == null,
        "value-log segment " + segment.number() + " has an account already");
    nextSegmentNumber(segment.number() + 1);
  }

  @Override
  public void removeSegment(int number) {
    require(segments.remove(number) != null, "value-log segment " + number + " has no account");
  }

  @Override
  public void addDeadBytes(int number, long bytes) {
    SegmentAccount segment = segments.get(number);
    if (segment == null || bytes > segment.liveBytes()) {
      throw new IllegalStateException(String.format(
          Locale.ROOT,
          "cannot add %d dead bytes to value-log segment %d: %s",
          bytes,
          number,
          segment));
    }
    segments.put(number, segment.withDead(bytes));
  }

  @Override
  public void setOption(String name, String value) {
    options.put(name, value);
  }

  @Override
  public void nextFileNumber(long number) {
    if (number > StoreFileName.NUMBER_MAX) {
      throw new IllegalArgumentException("no file name has the number " + number);
    }
    nextFileNumber = Math.max(nextFileNumber, number);
  }

  @Override
  public void nextSegmentNumber(int number) {
    nextSegmentNumber = Math.max(nextSegmentNumber, number);
  }

  List<Run> l0() {
    return l0;
  }

  KeyspaceCatalog keyspaces() {
    return keyspaces;
  }

  SortedMap<String, String> options() {
    return options;
  }

  SortedMap<Integer, SegmentAccount> segments() {
    return segments;
  }

  long flushedSeqno() {
    return flushedSeqno;
  }

  long durableSeqno() {
    return durableSeqno;
  }

  long partsGsn() {
    return partsGsn;
  }

  int firstGeneration() {
    return firstGeneration;
  }

  long nextFileNumber() {
    return nextFileNumber;
  }

  int nextSegmentNumber() {
    return nextSegmentNumber;
  }

  private static void require(boolean fits, String problem) {
    if (!fits) {
      throw new IllegalStateException(problem);
    }
  }
}
