// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.level.Table;
import io.github.rlsm.level.TableProperties;
import io.github.rlsm.policy.ValueSegmentShape;
import io.github.rlsm.version.Partition;
import io.github.rlsm.version.PinnedVersion;
import io.github.rlsm.version.Run;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.Version;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How much of a version is live, as the policies see it: the accounts, less what is estimated to be
 * shadowed already and only waits for a rewrite to say so.
 *
 * <p>Threads: one at a time.
 */
public final class ValueSegments {

  private final Version version;
  private final Map<Integer, Double> shadowed = new HashMap<>();
  private double tableBytes;

  /** The live bytes of a version that is pinned. */
  public ValueSegments(PinnedVersion<Table> files, DeadEntries deadEntries) {
    this.version = files.version();
    for (Run run : version.l0()) {
      tableBytes += run.bytes();
    }
    for (int i = 0; i < version.partitions().size(); i++) {
      Partition partition = version.partitions().get(i);
      List<Table> newer = new ArrayList<>();
      for (int j = partition.runs().size() - 1; j >= 0; j--) {
        Run run = partition.runs().get(j);
        Table table = files.partition(i).table(j);
        add(run, table, deadEntries.share(table, range(run, partition), newer));
        newer.add(table);
      }
    }
  }

  private static KeyRange range(Run run, Partition partition) {
    return run.range().intersection(partition.range());
  }

  private void add(Run run, Table table, double dead) {
    tableBytes += run.bytes() * (1 - dead);
    if (dead > 0) {
      TableProperties properties = table.properties();
      double share = dead * run.entries() / properties.entries();
      for (TableProperties.SegmentUse use : properties.segments()) {
        shadowed.merge(use.segment(), share * use.valueBytes(), Double::sum);
      }
    }
  }

  /** Bytes of entries in tables, without those that are shadowed; an estimate. */
  public long liveTableBytes() {
    return Math.round(tableBytes);
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
