// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.KeyspacePrefix;
import io.github.rlsm.level.KeySample;
import io.github.rlsm.level.Table;
import io.github.rlsm.policy.LevelShape;
import io.github.rlsm.policy.PartitionShape;
import io.github.rlsm.policy.RunMetrics;
import io.github.rlsm.policy.RunShape;
import io.github.rlsm.policy.ScanCosts;
import io.github.rlsm.policy.SliceSize;
import io.github.rlsm.policy.WeightedKey;
import io.github.rlsm.version.LivePartition;
import io.github.rlsm.version.Partition;
import io.github.rlsm.version.PinnedVersion;
import io.github.rlsm.version.Run;
import io.github.rlsm.version.TableMeta;
import io.github.rlsm.version.Version;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * A pinned version as the policies see it. A run's id is its table's number.
 *
 * <p>Usable while the version is pinned. Threads: one at a time.
 */
public final class Levels implements RunMetrics, ScanCosts {

  /** Samples taken of one run for a split. */
  private static final int SAMPLES_MAX = 1024;

  private final Version version;
  private final LevelShape shape;
  private final Map<Long, Table> tables = new HashMap<>();
  private final PinnedVersion<Table> files;
  private final IdentityHashMap<PartitionShape, LivePartition<Table>> partitions =
      new IdentityHashMap<>();

  /** The levels of a version, with an estimator of what is shadowed. */
  public Levels(PinnedVersion<Table> files, DeadEntries deadEntries) {
    this.files = files;
    this.version = files.version();
    List<RunShape> l0 = new ArrayList<>();
    for (int i = version.l0().size() - 1; i >= 0; i--) {
      Run run = version.l0().get(i);
      tables.put(run.table(), files.l0Table(i));
      l0.add(shape(run, KeyRange.ALL, 0));
    }
    List<PartitionShape> l1 = new ArrayList<>();
    for (int i = 0; i < version.partitions().size(); i++) {
      Partition partition = version.partitions().get(i);
      List<RunShape> runs = new ArrayList<>();
      List<Table> newer = new ArrayList<>();
      for (int j = partition.runs().size() - 1; j >= 0; j--) {
        Run run = partition.runs().get(j);
        Table table = files.partition(i).table(j);
        tables.put(run.table(), table);
        double dead = isDropped(run.range())
            ? 1
            : deadEntries.share(table, run.range(), newer, version.keyspaces());
        runs.add(0, shape(run, partition.range(), dead));
        newer.add(table);
      }
      PartitionShape l1Shape = new PartitionShape(partition.range(), runs);
      partitions.put(l1Shape, files.partition(i));
      l1.add(l1Shape);
    }
    this.shape = new LevelShape(l0, l1);
  }

  /** The levels. */
  public LevelShape shape() {
    return shape;
  }

  /** Whether the range lies in one keyspace that was dropped: then all of it is garbage. */
  private boolean isDropped(KeyRange range) {
    byte[] from = range.from();
    byte[] to = range.to();
    if (from == null || to == null || from.length == 0 || to.length == 0) {
      return false;
    }
    int id = KeyspacePrefix.id(ByteBuffer.wrap(from), 0);
    return !version.keyspaces().isLive(id) && KeyspacePrefix.range(id).covers(range);
  }

  private RunShape shape(Run run, KeyRange within, double dead) {
    TableMeta table = version.table(run.table());
    if (table == null) {
      throw new IllegalStateException("run of table " + run.table() + ", which is not there");
    }
    KeyRange keys = RunShape.span(table.smallest(), table.largest());
    KeyRange span = keys.intersection(run.range()).intersection(within);
    double share = table.entries() == 0 ? 0 : (double) run.entries() / table.entries();
    long tombstones = Math.min(run.entries(), Math.round(table.tombstones() * share));
    return new RunShape(
        run.table(),
        span,
        run.bytes(),
        run.entries(),
        tombstones,
        table.minSeqno(),
        table.maxSeqno(),
        Math.round(run.entries() * dead),
        table.fileBytes());
  }

  /**
   * The part of a table's file that so many of its entries stand for. In proportion, so that slices
   * add up to the whole: if they left out what every file has beside its pages, cutting a small
   * table up and cleaning the pieces would each make the other due again, for ever.
   */
  static long sliceBytes(Table table, long entries) {
    return Math.round((double) table.fileBytes() * entries / table.properties().entries());
  }

  private Table table(RunShape run) {
    Table table = tables.get(run.id());
    if (table == null) {
      throw new IllegalStateException("run " + run.id() + " is not of this version");
    }
    return table;
  }

  @Override
  public long extraSeeks(PartitionShape partition) {
    LivePartition<Table> live = partitions.get(partition);
    return live == null ? 0 : live.extraSeeks();
  }

  @Override
  public long l0Seeks() {
    return files.l0Seeks();
  }

  @Override
  public SliceSize size(RunShape run, KeyRange range) {
    Table table = table(run);
    long entries = table.countEntries(range);
    return new SliceSize(entries, sliceBytes(table, entries));
  }

  @Override
  public List<WeightedKey> samples(RunShape run, KeyRange range) {
    List<WeightedKey> samples = new ArrayList<>();
    for (KeySample sample : table(run).samples(range, SAMPLES_MAX)) {
      if (range.contains(sample.key()) && sample.bytes() > 0) {
        samples.add(new WeightedKey(sample.key(), sample.bytes()));
      }
    }
    return samples;
  }
}
