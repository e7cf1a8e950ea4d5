// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.KeyspacePrefix;
import io.github.rlsm.compact.PartitionGarbageEstimate.Population;
import io.github.rlsm.policy.PartitionShape;
import io.github.rlsm.policy.RunShape;
import io.github.rlsm.table.Table;
import io.github.rlsm.version.KeyspaceCatalog;
import io.github.rlsm.version.Partition;
import io.github.rlsm.version.Run;
import io.github.rlsm.version.TableMeta;
import io.github.rlsm.version.Version;
import io.github.rlsm.versionset.LivePartition;
import io.github.rlsm.versionset.PinnedVersion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Describes partitions to the policies. An edit changes few partitions, and unchanged partitions
 * are the same objects in the next version. So each partition is described once, not for every
 * decision.
 *
 * <p>Dead entries of a partition are {@linkplain PartitionGarbageEstimate estimated} from samples
 * of its runs' keys. The pages of a run that was just written are in memory. After a store is
 * opened, they must be read from the device, which can take seconds. So this work is divided: a
 * partition that is not sampled yet is described as if it had no dead entries.
 *
 * <p>Threads: one at a time.
 */
public final class PartitionShapes {

  /** Keys that may be sampled before a decision: some tenths of a second if read from a device. */
  private static final int SAMPLES_AT_ONCE = 4096;

  private final PartitionGarbageEstimate deadEntries = new PartitionGarbageEstimate();
  private @Nullable KeyspaceCatalog keyspaces;
  private IdentityHashMap<Partition, PartitionShape> known = new IdentityHashMap<>();
  private List<PartitionShape> shapes = List.of();
  private boolean complete;

  /** Tables with larger numbers were written after the first description of a version. */
  private long lastOldTable = -1;

  /** Creates an empty cache. */
  public PartitionShapes() {}

  /**
   * The shapes of a version's partitions, in their order. The same list if no shape has changed.
   */
  List<PartitionShape> of(PinnedVersion<Table> files) {
    Version version = files.version();
    if (lastOldTable < 0) {
      lastOldTable =
          version.tables().stream().mapToLong(TableMeta::number).max().orElse(0);
    }
    if (deadEntries.isCrowded()) {
      deadEntries.forgetAllBut(parts(files));
    }
    boolean sameKeyspaces = version.keyspaces().equals(keyspaces);
    List<Partition> partitions = version.partitions();
    IdentityHashMap<Partition, PartitionShape> now = new IdentityHashMap<>(2 * partitions.size());
    List<PartitionShape> all = new ArrayList<>(partitions.size());
    Population population = population(partitions);
    long before = deadEntries.taken();
    complete = true;
    for (int i = 0; i < partitions.size(); i++) {
      PartitionShape shape = sameKeyspaces ? known.get(partitions.get(i)) : null;
      boolean isKnown = true;
      if (shape == null) {
        isKnown = deadEntries.taken() - before < SAMPLES_AT_ONCE;
        shape = describe(version, files.partition(i), population, isKnown);
      }
      if (isKnown) {
        now.put(partitions.get(i), shape);
      }
      complete &= isKnown;
      all.add(shape);
    }
    keyspaces = version.keyspaces();
    known = now;
    if (!isSame(all)) {
      shapes = List.copyOf(all);
    }
    return shapes;
  }

  /** Whether all partitions were sampled at the last call. If not, the next call samples more. */
  public boolean isComplete() {
    return complete;
  }

  @SuppressWarnings("ReferenceEquality") // shapes are compared by identity
  private boolean isSame(List<PartitionShape> all) {
    boolean same = all.size() == shapes.size();
    for (int i = 0; same && i < all.size(); i++) {
      same = all.get(i) == shapes.get(i);
    }
    return same;
  }

  private static Population population(List<Partition> partitions) {
    int runs = 0;
    long entries = 0;
    for (Partition partition : partitions) {
      runs += partition.runs().size();
      entries += partition.entries();
    }
    return new Population(partitions.size(), runs, entries);
  }

  private static Stream<PartitionGarbageEstimate.Part> parts(PinnedVersion<Table> files) {
    return IntStream.range(0, files.partitionCount())
        .mapToObj(files::partition)
        .flatMap(live -> IntStream.range(0, live.runCount()).mapToObj(j -> part(live, j)));
  }

  private static PartitionGarbageEstimate.Part part(LivePartition<Table> live, int run) {
    Run each = live.run(run);
    return new PartitionGarbageEstimate.Part(live.table(run), each.range(), each.entries());
  }

  private PartitionShape describe(
      Version version, LivePartition<Table> live, Population population, boolean samples) {
    Partition partition = live.partition();
    List<RunShape> runs = new ArrayList<>();
    PartitionGarbageEstimate.Newer newer = new PartitionGarbageEstimate.Newer();
    for (int j = partition.runs().size() - 1; j >= 0; j--) {
      Run run = partition.runs().get(j);
      PartitionGarbageEstimate.Part part = part(live, j);
      double dead = 0;
      if (isDropped(run.range(), version.keyspaces())) {
        dead = 1;
      } else if (isWorthALook(run, newer, version.keyspaces())) {
        dead = deadEntries.share(part, newer, version.keyspaces(), population, samples);
      }
      runs.add(0, shape(run, live.table(j), version, partition.range(), dead));
      newer.add(part);
    }
    return new PartitionShape(partition.range(), runs);
  }

  /**
   * Whether a run can have dead entries now, or was just written, so that a sample needs no I/O.
   */
  private boolean isWorthALook(Run run, PartitionGarbageEstimate.Newer newer, KeyspaceCatalog all) {
    return !newer.isEmpty()
        || run.table() > lastOldTable
        || PartitionGarbageEstimate.dropped(all) > 0;
  }

  /** Whether the range lies in one dropped keyspace, so that all entries are garbage. */
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
   * A run as policies see it.
   *
   * @param dead the share of its entries that are dead
   */
  static RunShape shape(Run run, Table open, Version version, KeyRange within, double dead) {
    TableMeta table = version.table(run.table());
    if (table == null) {
      throw new IllegalStateException(
          "the version has a run of table " + run.table() + ", but not the table");
    }
    KeyRange keys = RunShape.span(table.keys().smallest(), table.keys().largest());
    KeyRange span = keys.intersection(run.range()).intersection(within);
    double share = table.entries() == 0 ? 0 : (double) run.entries() / table.entries();
    long tombstones = Math.min(run.entries(), Math.round(table.tombstones() * share));
    return new RunShape(
        new RunShape.TableFile(run.table(), table.fileBytes()),
        span,
        run.bytes(),
        new RunShape.Counts(run.entries(), tombstones, Math.round(run.entries() * dead)),
        table.seqnos(),
        new RunShape.Values(
            Math.min(run.entries(), Math.round(open.properties().pointers() * share)),
            Math.round(open.properties().separatedBytes() * share)));
  }
}
