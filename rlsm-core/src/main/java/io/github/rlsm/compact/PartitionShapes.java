// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.KeyspacePrefix;
import io.github.rlsm.level.Table;
import io.github.rlsm.level.TableProperties;
import io.github.rlsm.policy.PartitionShape;
import io.github.rlsm.policy.RunShape;
import io.github.rlsm.version.KeyspaceCatalog;
import io.github.rlsm.version.LivePartition;
import io.github.rlsm.version.Partition;
import io.github.rlsm.version.PinnedVersion;
import io.github.rlsm.version.Run;
import io.github.rlsm.version.TableMeta;
import io.github.rlsm.version.Version;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Describes partitions to the policies. An edit changes few of them, and those it does not change
 * are the same objects in the next version; so each is described once, not once for every decision.
 *
 * <p>Threads: one at a time.
 */
public final class PartitionShapes {

  private final DeadEntries deadEntries = new DeadEntries();
  private @Nullable KeyspaceCatalog keyspaces;
  private IdentityHashMap<Partition, PartitionShape> known = new IdentityHashMap<>();

  /** Shapes of nothing yet. */
  public PartitionShapes() {}

  /** The shapes of a version's partitions, in their order. */
  List<PartitionShape> of(PinnedVersion<Table> files) {
    Version version = files.version();
    boolean sameKeyspaces = version.keyspaces().equals(keyspaces);
    List<Partition> partitions = version.partitions();
    IdentityHashMap<Partition, PartitionShape> now = new IdentityHashMap<>(2 * partitions.size());
    List<PartitionShape> shapes = new ArrayList<>(partitions.size());
    for (int i = 0; i < partitions.size(); i++) {
      PartitionShape shape = sameKeyspaces ? known.get(partitions.get(i)) : null;
      if (shape == null) {
        shape = describe(version, files.partition(i));
      }
      now.put(partitions.get(i), shape);
      shapes.add(shape);
    }
    keyspaces = version.keyspaces();
    known = now;
    return shapes;
  }

  private PartitionShape describe(Version version, LivePartition<Table> live) {
    Partition partition = live.partition();
    List<RunShape> runs = new ArrayList<>();
    List<DeadEntries.Part> newer = new ArrayList<>();
    for (int j = partition.runs().size() - 1; j >= 0; j--) {
      Run run = partition.runs().get(j);
      Table table = live.table(j);
      DeadEntries.Part part = new DeadEntries.Part(table, run.range());
      double dead = isDropped(run.range(), version.keyspaces())
          ? 1
          : deadEntries.share(part, newer, version.keyspaces());
      runs.add(0, shape(run, table, version, partition.range(), dead));
      newer.add(part);
    }
    return new PartitionShape(partition.range(), runs);
  }

  /** Whether the range lies in one keyspace that was dropped: then all of it is garbage. */
  private static boolean isDropped(KeyRange range, KeyspaceCatalog keyspaces) {
    byte[] from = range.from();
    byte[] to = range.to();
    if (from == null || to == null || from.length == 0 || to.length == 0) {
      return false;
    }
    int id = KeyspacePrefix.id(ByteBuffer.wrap(from), 0);
    return !keyspaces.isLive(id) && KeyspacePrefix.range(id).covers(range);
  }

  /**
   * A run as the policies see it.
   *
   * @param dead the share of its entries that are shadowed
   */
  static RunShape shape(Run run, Table open, Version version, KeyRange within, double dead) {
    TableMeta table = version.table(run.table());
    if (table == null) {
      throw new IllegalStateException("run of table " + run.table() + ", which is not there");
    }
    KeyRange keys = RunShape.span(table.smallest(), table.largest());
    KeyRange span = keys.intersection(run.range()).intersection(within);
    double share = table.entries() == 0 ? 0 : (double) run.entries() / table.entries();
    long tombstones = Math.min(run.entries(), Math.round(table.tombstones() * share));
    long values = open.properties().segments().stream()
        .mapToLong(TableProperties.SegmentUse::valueBytes)
        .sum();
    return new RunShape(
        run.table(),
        span,
        run.bytes(),
        run.entries(),
        tombstones,
        table.minSeqno(),
        table.maxSeqno(),
        Math.round(run.entries() * dead),
        table.fileBytes(),
        Math.min(run.entries(), Math.round(open.properties().pointers() * share)),
        Math.round(values * share));
  }
}
