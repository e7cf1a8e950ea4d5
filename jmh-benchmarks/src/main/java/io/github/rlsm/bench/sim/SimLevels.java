// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.sim;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.SeqnoRange;
import io.github.rlsm.bench.sim.SimTable.Piece;
import io.github.rlsm.policy.LevelShape;
import io.github.rlsm.policy.PartitionShape;
import io.github.rlsm.policy.Plan;
import io.github.rlsm.policy.Plan.Compaction.Slice;
import io.github.rlsm.policy.RunMetrics;
import io.github.rlsm.policy.RunMetrics.SliceSize;
import io.github.rlsm.policy.RunShape;
import io.github.rlsm.policy.SplitKeys.WeightedKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Simulates both levels as shapes over tables without content. Installs plans like the engine.
 *
 * <p>Threads: one.
 */
final class SimLevels implements RunMetrics {

  private static final int SAMPLES = 64;

  /** Bytes of a tombstone: a key of 16 bytes, and the overhead of an entry. */
  private static final double TOMBSTONE_BYTES = 20;

  private final Writes writes;
  private final double entryBytes;
  private final Map<Long, SimTable> tables = new HashMap<>();
  private List<RunShape> l0 = new ArrayList<>();
  private List<PartitionShape> l1 = new ArrayList<>();
  private long lastId;
  private double rewrittenBytes;
  private long splits;
  private long merges;

  SimLevels(Writes writes, double entryBytes) {
    this.writes = writes;
    this.entryBytes = entryBytes;
  }

  LevelShape shape() {
    return new LevelShape(l0, l1);
  }

  List<RunShape> l0() {
    return l0;
  }

  List<PartitionShape> l1() {
    return l1;
  }

  /** Bytes in both levels. */
  double bytes() {
    return l0.stream().mapToDouble(RunShape::bytes).sum()
        + l1.stream().mapToDouble(PartitionShape::bytes).sum();
  }

  /** Bytes that compactions and cleans wrote. */
  double rewrittenBytes() {
    return rewrittenBytes;
  }

  long splits() {
    return splits;
  }

  long merges() {
    return merges;
  }

  /** Adds an L0 run with a time span's writes below position {@code end}. Returns its bytes. */
  double flush(double fromTime, double toTime, long end) {
    Piece piece = new Piece(
        writes.firstPosition(fromTime),
        Math.min(end, writes.endPosition(toTime)),
        fromTime,
        toTime,
        false);
    SimTable table = add(List.of(piece));
    l0.add(run(table, piece.a(), piece.b(), toTime));
    return bytes(table, piece.a(), piece.b());
  }

  private double bytes(SimTable table, long from, long to) {
    double tombstones = table.tombstones(writes, from, to);
    return entryBytes * (table.entries(writes, from, to) - tombstones)
        + TOMBSTONE_BYTES * tombstones;
  }

  private double bytes(SimTable table) {
    return bytes(table, 0, Long.MAX_VALUE);
  }

  private SimTable add(List<Piece> pieces) {
    SimTable table = new SimTable(++lastId, pieces);
    tables.put(table.id(), table);
    return table;
  }

  private RunShape run(SimTable table, long from, long to, double now) {
    List<Piece> pieces = SimTable.clip(table.pieces(), from, to);
    long a = pieces.stream().mapToLong(Piece::a).min().orElse(from);
    long b = pieces.stream().mapToLong(Piece::b).max().orElse(to);
    double entries = table.entries(writes, a, b);
    long count = Math.max(1, Math.round(entries));
    long dead = Math.min(count, Math.round(table.dead(writes, a, b, now)));
    return new RunShape(
        new RunShape.TableFile(table.id(), Math.round(bytes(table))),
        Positions.range(a, b),
        Math.round(bytes(table, a, b)),
        new RunShape.Counts(
            count, Math.min(count, Math.round(table.tombstones(writes, a, b))), dead),
        new SeqnoRange((long) pieces.stream().mapToDouble(Piece::fromTime).min().orElse(0), (long)
            pieces.stream().mapToDouble(Piece::toTime).max().orElse(0)),
        RunShape.Values.NONE);
  }

  @Override
  public SliceSize size(RunShape run, KeyRange range) {
    long from = Positions.from(range);
    long to = Positions.to(range);
    double entries = table(run).entries(writes, from, to);
    return new SliceSize(
        entries > 0 ? Math.max(1, Math.round(entries)) : 0,
        Math.round(bytes(table(run), from, to)));
  }

  @Override
  public List<WeightedKey> samples(RunShape run, KeyRange range) {
    long from = Positions.from(range);
    long to = Positions.to(range);
    long step = Math.max(1, (to - from) / SAMPLES);
    List<WeightedKey> samples = new ArrayList<>();
    for (long a = from; a < to; a += step) {
      double bytes = bytes(table(run), a, Math.min(to, a + step));
      if (bytes >= 1) {
        samples.add(new WeightedKey(Positions.key(a), Math.round(bytes)));
      }
    }
    return samples;
  }

  private SimTable table(RunShape run) {
    return Objects.requireNonNull(tables.get(run.id()));
  }

  void install(Plan plan) {
    if (plan instanceof Plan.Compaction compact) {
      compact(compact);
    } else if (plan instanceof Plan.Clean clean) {
      clean(clean);
    } else if (plan instanceof Plan.Split split) {
      split(split);
    } else {
      merge((Plan.Merge) plan);
    }
  }

  private void compact(Plan.Compaction plan) {
    Map<KeyRange, Plan.Compaction.Target> grown = new HashMap<>();
    List<PartitionShape> partitions = new ArrayList<>();
    for (Plan.Compaction.Target target : plan.targets()) {
      if (target.partition() == null) {
        partitions.add(partition(target.range(), added(target)));
      } else {
        grown.put(target.partition().range(), target);
      }
    }
    for (PartitionShape partition : l1) {
      Plan.Compaction.Target target = grown.get(partition.range());
      if (target == null) {
        partitions.add(partition);
      } else {
        List<Sliced> runs = sliced(partition, partition.range());
        runs.addAll(added(target));
        partitions.add(partition(target.range(), runs));
      }
    }
    partitions.sort((x, y) -> Long.compare(Positions.from(x.range()), Positions.from(y.range())));
    l1 = partitions;
    Set<Long> victims = new HashSet<>();
    plan.victims().forEach(run -> victims.add(run.id()));
    l0.removeIf(run -> victims.contains(run.id()));
  }

  private List<Sliced> added(Plan.Compaction.Target target) {
    List<Sliced> added = new ArrayList<>();
    for (Plan.Compaction.NewRun run : target.runs()) {
      if (run instanceof Plan.Compaction.Link link) {
        added.add(new Sliced(table(link.slice().run()), link.slice().range()));
      } else {
        List<Piece> pieces = new ArrayList<>();
        Plan.Compaction.Rewrite rewrite = (Plan.Compaction.Rewrite) run;
        for (Slice slice : rewrite.slices()) {
          pieces.addAll(new Sliced(table(slice.run()), slice.range()).pieces());
        }
        added.addAll(rewritten(pieces, target.range(), rewrite.dropsTombstones()));
      }
    }
    return added;
  }

  /** Creates a run; the list is empty if no entries are left. */
  private List<Sliced> rewritten(List<Piece> pieces, KeyRange range, boolean dropsTombstones) {
    SimTable table = add(SimTable.merge(pieces, dropsTombstones));
    rewrittenBytes += bytes(table);
    boolean isEmpty = table.entries(writes, 0, Long.MAX_VALUE) < 1;
    return isEmpty ? List.of() : List.of(new Sliced(table, range));
  }

  /** A table restricted to a range. */
  private record Sliced(SimTable table, KeyRange range) {

    List<Piece> pieces() {
      return SimTable.clip(table.pieces(), Positions.from(range), Positions.to(range));
    }
  }

  private List<Sliced> sliced(PartitionShape partition, KeyRange range) {
    List<Sliced> runs = new ArrayList<>();
    for (RunShape run : partition.runs()) {
      KeyRange part = run.span().intersection(range);
      if (!part.isEmpty()) {
        runs.add(new Sliced(table(run), part));
      }
    }
    return runs;
  }

  private PartitionShape partition(KeyRange range, List<Sliced> runs) {
    double now = runs.stream()
        .flatMap(run -> run.pieces().stream())
        .mapToDouble(Piece::toTime)
        .max()
        .orElse(0);
    return new PartitionShape(
        range,
        runs.stream()
            .filter(run -> !run.pieces().isEmpty())
            .map(run -> run(run.table, Positions.from(run.range), Positions.to(run.range), now))
            .toList());
  }

  private void clean(Plan.Clean plan) {
    List<Sliced> runs = sliced(plan.partition(), plan.partition().range());
    List<Sliced> old = runs.subList(plan.fromRun(), plan.toRun());
    List<Piece> pieces = old.stream().flatMap(run -> run.pieces().stream()).toList();
    old.clear();
    runs.addAll(
        plan.fromRun(), rewritten(pieces, plan.partition().range(), plan.dropsTombstones()));
    l1.set(l1.indexOf(plan.partition()), partition(plan.partition().range(), runs));
  }

  private void split(Plan.Split plan) {
    int at = l1.indexOf(plan.partition());
    l1.remove(at);
    for (KeyRange piece : plan.pieces()) {
      l1.add(at++, partition(piece, sliced(plan.partition(), piece)));
    }
    splits++;
  }

  private void merge(Plan.Merge plan) {
    int at = l1.indexOf(plan.left());
    List<Sliced> both = sliced(plan.left(), plan.left().range());
    both.addAll(sliced(plan.right(), plan.right().range()));
    l1.remove(at + 1);
    l1.set(at, partition(plan.range(), plan.order().stream().map(both::get).toList()));
    merges++;
  }

  /** Removes tables that no run names. */
  void sweep() {
    Set<Long> used = new HashSet<>();
    runs().forEach(run -> used.add(run.id()));
    tables.keySet().retainAll(used);
  }

  /** Removes all data from a partition bound on. */
  void cut(long end) {
    List<RunShape> whole = runs().toList();
    tables.replaceAll((id, table) -> new SimTable(id, SimTable.clip(table.pieces(), 0, end)));
    l0 = new ArrayList<>(whole.subList(0, l0.size()).stream()
        .map(run -> run(table(run), 0, end, (double) run.maxSeqno()))
        .toList());
    l1 = new ArrayList<>(l1.stream()
        .filter(partition -> Positions.to(partition.range()) <= end)
        .map(partition -> partition(partition.range(), sliced(partition, partition.range())))
        .toList());
    sweep();
  }

  private Stream<RunShape> runs() {
    return Stream.concat(l0.stream(), l1.stream().flatMap(partition -> partition.runs().stream()));
  }

  /** Bytes of all tables that a run names, even if it names a part only. */
  double fileBytes() {
    Map<Long, Long> files = new HashMap<>();
    runs().forEach(run -> files.put(run.id(), run.tableBytes()));
    return files.values().stream().mapToDouble(Long::doubleValue).sum();
  }
}
