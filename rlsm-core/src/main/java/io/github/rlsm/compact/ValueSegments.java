// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.level.Table;
import io.github.rlsm.level.TableProperties;
import io.github.rlsm.log.ValueLog;
import io.github.rlsm.policy.PartitionShape;
import io.github.rlsm.policy.RunShape;
import io.github.rlsm.policy.ValueSegmentShape;
import io.github.rlsm.version.PinnedVersion;
import io.github.rlsm.version.Run;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How much of a version is live, as the policies see it: what the tables and accounts say, less
 * what is estimated to be shadowed already and only waits for a rewrite to say so.
 *
 * <p>Threads: one at a time.
 */
public final class ValueSegments {

  private final Version version;

  /** By segment, bytes of records that a rewrite will find to be dead. */
  private final Map<Integer, Double> shadowed;

  private double liveBytes;

  /** The live bytes of a version that is pinned. */
  public ValueSegments(PinnedVersion<Table> files, PartitionShapes shapes) {
    this.version = files.version();
    this.shadowed = new Overwritten().bytes(files);
    shadowed.keySet().removeIf(segment -> version.segment(segment) == null); // stale pointers
    shadowed.forEach((segment, dead) -> liveBytes -= dead);
    List<PartitionShape> described = shapes.of(files);
    for (int i = 0; i < version.l0().size(); i++) {
      add(version.l0().get(i), files.l0Table(i), 0);
    }
    for (int i = 0; i < version.partitions().size(); i++) {
      List<Run> runs = version.partitions().get(i).runs();
      List<RunShape> known = described.get(i).runs();
      for (int j = 0; j < runs.size(); j++) {
        RunShape shape = known.get(j);
        double dead = shape.entries() == 0 ? 0 : (double) shape.deadEntries() / shape.entries();
        add(runs.get(j), files.partition(i).table(j), dead);
      }
    }
  }

  private void add(Run run, Table table, double dead) {
    TableProperties properties = table.properties();
    double share = (double) run.entries() / properties.entries();
    double live = properties.keyBytes() + properties.valueBytes();
    for (TableProperties.SegmentUse use : properties.segments()) {
      if (version.segment(use.segment()) != null) {
        live += use.valueBytes();
        if (dead > 0) {
          double bytes = use.valueBytes() + (double) use.pointers() * recordHead(properties);
          shadowed.merge(use.segment(), dead * share * bytes, Double::sum);
        }
      }
    }
    liveBytes += share * (1 - dead) * live;
  }

  /** Bytes of a record beside its value, on average. */
  private static long recordHead(TableProperties properties) {
    int key = (int) (properties.keyBytes() / properties.entries());
    return ValueLog.recordBytes(key, ValuePointer.of(1, 0, false, 0));
  }

  /** Bytes of the keys and values that are current, without all that is stored beside them. */
  public long liveBytes() {
    return Math.max(0, Math.round(liveBytes));
  }

  /** The segments with an account. */
  public List<ValueSegmentShape> shapes() {
    List<ValueSegmentShape> shapes = new ArrayList<>();
    for (SegmentAccount account : version.segments()) {
      long dead = Math.round(shadowed.getOrDefault(account.number(), 0.0));
      long live = Math.max(0, account.liveBytes() - dead);
      shapes.add(new ValueSegmentShape(account.number(), account.totalBytes(), live));
    }
    return shapes;
  }
}
