// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.KeyspacePrefix;
import io.github.rlsm.compact.DeadEntries.Population;
import io.github.rlsm.level.Table;
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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Describes partitions to the policies. An edit changes few of them, and those it does not change
 * are the same objects in the next version; so each is described once, not once for every decision.
 *
 * <p>What is dead in a partition is {@linkplain DeadEntries estimated} from keys of its runs, which
 * are in memory for what was written just now, and must be read for a store that was just opened.
 * That may be seconds of waiting for a device, so it is done in pieces: what there was no time for
 * yet is described as if nothing in it were dead.
 *
 * <p>Threads: one at a time.
 */
public final class PartitionShapes {

  /** Keys that may be read before a decision is made: some tenths of a second, if from a device. */
  private static final int SAMPLES_AT_ONCE = 4096;

  private final DeadEntries deadEntries = new DeadEntries();
  private @Nullable KeyspaceCatalog keyspaces;
  private IdentityHashMap<Partition, PartitionShape> known = new IdentityHashMap<>();
  private List<PartitionShape> shapes = List.of();
  private boolean complete;

  /** Tables with larger numbers were written since the first partition was described. */
  private long lastOldTable = -1;

  /** Shapes of nothing yet. */
  public PartitionShapes() {}

  /**
   * The shapes of a version's partitions, in their order: the same list as long as nothing is new
   * about them.
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

  /**
   * Whether all that was described last was looked at; if not, who asks again is told about more.
   */
  public boolean isComplete() {
    return complete;
  }

  @SuppressWarnings("ReferenceEquality") // nobody may take an equal shape for the one that is known
  private boolean isSame(List<PartitionShape> all) {
    boolean same = all.size() == shapes.size();
    for (int i = 0; same && i < all.size(); i++) {
      same = all.get(i) == shapes.get(i);
    }
    return same;
  }

  private static Population population(List<Partition> partitions) {
    int runs =
        partitions.stream().mapToInt(partition -> partition.runs().size()).sum();
    return new Population(partitions.size(), runs);
  }

  private static Stream<DeadEntries.Part> parts(PinnedVersion<Table> files) {
    return IntStream.range(0, files.version().partitions().size())
        .mapToObj(files::partition)
        .flatMap(live ->
            IntStream.range(0, live.partition().runs().size()).mapToObj(j -> part(live, j)));
  }

  private static DeadEntries.Part part(LivePartition<Table> live, int run) {
    return new DeadEntries.Part(
        live.table(run), live.partition().runs().get(run).range());
  }

  private PartitionShape describe(
      Version version, LivePartition<Table> live, Population population, boolean samples) {
    Partition partition = live.partition();
    List<RunShape> runs = new ArrayList<>();
    List<DeadEntries.Part> newer = new ArrayList<>();
    for (int j = partition.runs().size() - 1; j >= 0; j--) {
      Run run = partition.runs().get(j);
      DeadEntries.Part part = part(live, j);
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
   * Whether anything in a run can be dead, or will be and the run is in memory now, for it was just
   * written.
   */
  private boolean isWorthALook(Run run, List<DeadEntries.Part> newer, KeyspaceCatalog all) {
    return !newer.isEmpty() || run.table() > lastOldTable || DeadEntries.dropped(all) > 0;
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
        Math.round(open.properties().separatedBytes() * share));
  }
}
