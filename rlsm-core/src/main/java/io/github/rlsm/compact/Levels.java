// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.policy.LevelShape;
import io.github.rlsm.policy.PartitionShape;
import io.github.rlsm.policy.RunMetrics;
import io.github.rlsm.policy.RunMetrics.SliceSize;
import io.github.rlsm.policy.RunShape;
import io.github.rlsm.policy.ScanCosts;
import io.github.rlsm.policy.SplitKeys.WeightedKey;
import io.github.rlsm.table.Table;
import io.github.rlsm.table.Table.KeySample;
import io.github.rlsm.version.Run;
import io.github.rlsm.version.Version;
import io.github.rlsm.versionset.PinnedVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A pinned version as policies see it. The id of a run is its table's number.
 *
 * <p>Usable while the version is pinned. Threads: one at a time.
 */
public final class Levels implements RunMetrics, ScanCosts {

  /** The maximum number of samples of one run for a split. */
  private static final int SAMPLES_MAX = 1024;

  private final PinnedVersion<Table> files;
  private final LevelShape shape;

  /** Describes the levels of a version. Partitions that have not changed keep their shapes. */
  public Levels(PinnedVersion<Table> files, PartitionShapes shapes) {
    this.files = files;
    Version version = files.version();
    List<RunShape> l0 = new ArrayList<>();
    for (int i = version.l0().size() - 1; i >= 0; i--) {
      Run run = version.l0().get(i);
      l0.add(PartitionShapes.shape(run, files.l0Table(i), version, KeyRange.ALL, 0));
    }
    this.shape = new LevelShape(l0, shapes.of(files));
  }

  /** The shape of the levels. */
  public LevelShape shape() {
    return shape;
  }

  private Table table(RunShape run) {
    List<Run> l0 = files.version().l0();
    for (int i = 0; i < l0.size(); i++) {
      if (l0.get(i).table() == run.id()) {
        return files.l0Table(i);
      }
    }
    byte[] key = Objects.requireNonNull(run.span().from());
    int index = files.version().floorPartition(key, 0, key.length);
    if (index >= 0) {
      List<Run> runs = files.version().partitions().get(index).runs();
      for (int j = 0; j < runs.size(); j++) {
        if (runs.get(j).table() == run.id()) {
          return files.partition(index).table(j);
        }
      }
    }
    throw new IllegalStateException("the pinned version has no run of table " + run.id());
  }

  @Override
  public long extraSeeks(PartitionShape partition) {
    byte[] from = partition.range().from();
    int index = from == null ? 0 : files.version().floorPartition(from, 0, from.length);
    return index < 0 ? 0 : files.partition(index).extraSeeks();
  }

  @Override
  public long strayValues(PartitionShape partition) {
    byte[] from = partition.range().from();
    int index = from == null ? 0 : files.version().floorPartition(from, 0, from.length);
    return index < 0 ? 0 : files.partition(index).strayValues();
  }

  @Override
  public long l0Seeks() {
    return files.l0Seeks();
  }

  @Override
  public SliceSize size(RunShape run, KeyRange range) {
    Table.Part part = table(run).part(range);
    return new SliceSize(part.entries(), part.bytes());
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
