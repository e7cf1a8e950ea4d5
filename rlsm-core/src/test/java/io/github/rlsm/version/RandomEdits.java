// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import io.github.rlsm.base.KeyBounds;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.SeqnoRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Creates valid edits of every kind, drawn from a seed. */
public final class RandomEdits {

  private final Random random;

  public RandomEdits(long seed) {
    random = new Random(seed);
  }

  /** Returns an edit of one to three changes for this version. */
  public VersionEdit next(Version version, long tableNumber) {
    VersionEdit.Builder edit = VersionEdit.builder();
    switch (random.nextInt(9)) {
      case 0, 1, 2 -> flush(edit, version, tableNumber);
      case 3, 4 -> compact(edit, version, tableNumber);
      case 5 -> split(edit, version);
      case 6 -> merge(edit, version);
      case 7 -> keyspaces(edit, version);
      default -> segments(edit, version);
    }
    if (random.nextInt(10) == 0) {
      edit.setOption("option" + random.nextInt(3), "value é " + random.nextInt());
    }
    return edit.build();
  }

  private void flush(VersionEdit.Builder edit, Version version, long number) {
    TableMeta table = table(number, version.flushedSeqno());
    edit.addTable(table).addL0(Run.whole(table));
    edit.flushed(table.seqnos().max() + 1, version.firstGeneration() + 1);
    if (random.nextBoolean()) {
      int generation = version.firstGeneration();
      edit.addSegment(
          new SegmentAccount(generation, 10_000, random.nextInt(1000), random.nextInt(100)));
    }
  }

  /** Moves the oldest run of level 0 to a partition, by a link or by a new table. */
  private void compact(VersionEdit.Builder edit, Version version, long number) {
    if (version.l0().isEmpty()) {
      return;
    }
    Run victim = version.l0().get(version.l0().size() - 1);
    edit.removeL0(victim.table());
    long table = victim.table();
    if (random.nextBoolean()) {
      edit.addTable(table(number, 0));
      table = number;
    }
    List<Partition> partitions = version.partitions();
    if (partitions.isEmpty()) {
      KeyRange range = random.nextBoolean() ? KeyRange.ALL : KeyRange.of(key(), null);
      edit.replacePartitions(
          List.of(), List.of(new Partition(range, List.of(new Run(table, range, 500, 50)))));
      return;
    }
    Partition target = partitions.get(random.nextInt(partitions.size()));
    List<Run> runs = new ArrayList<>(target.runs());
    if (random.nextInt(4) == 0) {
      runs.clear();
    }
    if (random.nextBoolean()) {
      int segment = random.nextInt(1, 100);
      runs.replaceAll(run -> run.withMovedOut(List.of(segment, segment + 1)));
    }
    runs.add(new Run(table, target.range(), random.nextInt(9999), random.nextInt(999)));
    edit.replacePartitions(List.of(target), List.of(new Partition(target.range(), runs)));
  }

  private void split(VersionEdit.Builder edit, Version version) {
    byte[] at = key();
    int index = version.partitionOf(at, 0, at.length);
    if (index < 0) {
      return;
    }
    Partition whole = version.partitions().get(index);
    if (Arrays.equals(at, whole.range().from())) {
      return;
    }
    KeyRange low = KeyRange.of(whole.range().from(), at);
    KeyRange high = KeyRange.of(at, whole.range().to());
    edit.replacePartitions(List.of(whole), List.of(part(whole, low), part(whole, high)));
  }

  private static Partition part(Partition whole, KeyRange range) {
    List<Run> runs = new ArrayList<>();
    for (Run run : whole.runs()) {
      KeyRange slice = run.range().intersection(range);
      if (!slice.isEmpty()) {
        runs.add(new Run(run.table(), slice, run.bytes() / 2, run.entries() / 2, run.movedOut()));
      }
    }
    return new Partition(range, runs);
  }

  private void merge(VersionEdit.Builder edit, Version version) {
    List<Partition> partitions = version.partitions();
    if (partitions.size() < 2) {
      return;
    }
    int index = random.nextInt(partitions.size() - 1);
    Partition low = partitions.get(index);
    Partition high = partitions.get(index + 1);
    List<Run> runs = new ArrayList<>(low.runs());
    runs.addAll(high.runs());
    KeyRange range = KeyRange.of(low.range().from(), high.range().to());
    edit.replacePartitions(List.of(low, high), List.of(new Partition(range, runs)));
  }

  private void keyspaces(VersionEdit.Builder edit, Version version) {
    List<Integer> ids = List.copyOf(version.keyspaces().names().keySet());
    if (ids.isEmpty() || random.nextBoolean()) {
      int id = version.keyspaces().nextId() + random.nextInt(2);
      edit.createKeyspace(id, "keyspace " + id);
    } else {
      edit.dropKeyspace(ids.get(random.nextInt(ids.size())));
    }
  }

  private void segments(VersionEdit.Builder edit, Version version) {
    List<SegmentAccount> segments = List.copyOf(version.segments());
    if (segments.isEmpty()) {
      return;
    }
    SegmentAccount segment = segments.get(random.nextInt(segments.size()));
    if (random.nextInt(3) == 0) {
      edit.removeSegment(segment.number());
    } else {
      edit.addDeadBytes(segment.number(), random.nextLong(segment.liveBytes() + 1));
    }
  }

  private TableMeta table(long number, long minSeqno) {
    byte[] a = key();
    byte[] b = key();
    boolean ascending = Arrays.compareUnsigned(a, b) <= 0;
    int entries = 1 + random.nextInt(1000);
    return new TableMeta(
        number,
        random.nextInt(1 << 20),
        entries,
        random.nextInt(entries + 1),
        ascending ? new KeyBounds(a, b) : new KeyBounds(b, a),
        new SeqnoRange(minSeqno, minSeqno + random.nextInt(100)));
  }

  private byte[] key() {
    byte[] key = new byte[1 + random.nextInt(4)];
    random.nextBytes(key);
    return key;
  }
}
