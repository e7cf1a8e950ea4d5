// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.policy.PartitionShape;
import io.github.rlsm.policy.RunShape;
import io.github.rlsm.policy.ValueUse.ValueSegmentShape;
import io.github.rlsm.table.Table;
import io.github.rlsm.table.TableProperties;
import io.github.rlsm.valuelog.SegmentHoles;
import io.github.rlsm.valuelog.ValueLog;
import io.github.rlsm.version.Run;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.Version;
import io.github.rlsm.versionset.PinnedVersion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Estimates how much of a version is live, and in which value segments, for the policies. The
 * tables and accounts give the figures. Entries that are shadowed but not yet dropped by a rewrite
 * are estimated and subtracted.
 *
 * <p>The version need not stay pinned after construction. Threads: one at a time.
 */
public final class ValueSegments {

  /**
   * Values are in key order if so many pointers follow one another in a segment on average. A scan
   * of 1,000-byte values then reads about twice the bytes that it needs, or fewer.
   */
  private static final int GAP_POINTERS = 8;

  private final Version version;
  private final List<PartitionShape> described;
  private final double overwritten;

  /** By segment, bytes of records that a rewrite will find to be dead. */
  private final Map<Integer, Double> shadowed;

  private final Set<Integer> inL0 = new HashSet<>();

  /** By segment, the pointers into it and their gaps. Of the partition being counted. */
  private Map<Integer, Order> order = new HashMap<>();

  private final IdentityHashMap<PartitionShape, Map<Integer, Order>> orders =
      new IdentityHashMap<>();
  private final IdentityHashMap<PartitionShape, List<Map<Integer, Long>>> use =
      new IdentityHashMap<>();
  private final IdentityHashMap<PartitionShape, Long> holes = new IdentityHashMap<>();
  private final SegmentHoles segmentHoles;
  private double liveBytes;
  private double liveTableBytes;
  private double holeBytes; // of the partition being counted

  /**
   * Computes the live bytes of a pinned version.
   *
   * @param described the shapes of the version's partitions; later queries use the same objects
   * @param segmentHoles the space in segments that is or can become holes
   */
  public ValueSegments(
      PinnedVersion<Table> files,
      List<PartitionShape> described,
      Level0GarbageEstimate overwritten,
      SegmentHoles segmentHoles) {
    this.version = files.version();
    this.segmentHoles = segmentHoles;
    this.shadowed = overwritten.bytes(files);
    this.overwritten = overwritten.share();
    Double inTables = shadowed.remove(Level0GarbageEstimate.TABLES);
    liveBytes -= inTables == null ? 0 : inTables;
    shadowed.keySet().removeIf(segment -> version.segment(segment) == null); // moved since
    shadowed.forEach((segment, dead) -> liveBytes -= dead);
    for (int i = 0; i < version.l0().size(); i++) {
      inL0.addAll(add(version.l0().get(i), files.l0Table(i), 0).keySet());
    }
    this.described = described;
    for (int i = 0; i < version.partitions().size(); i++) {
      List<Run> runs = version.partitions().get(i).runs();
      List<Map<Integer, Long>> uses = new ArrayList<>();
      holeBytes = 0;
      order = new HashMap<>();
      for (int j = 0; j < runs.size(); j++) {
        RunShape shape = described.get(i).runs().get(j);
        double dead = shape.entries() == 0 ? 0 : (double) shape.deadEntries() / shape.entries();
        uses.add(add(runs.get(j), files.partition(i).table(j), dead));
        liveTableBytes += (1 - dead) * runs.get(j).bytes();
      }
      use.put(described.get(i), uses);
      orders.put(described.get(i), order);
      holes.put(described.get(i), Math.round(holeBytes));
    }
  }

  /** The pointers of a partition into a segment, and how many of them begin a new place. */
  private record Order(double pointers, double gaps) {

    Order plus(Order other) {
      return new Order(pointers + other.pointers, gaps + other.gaps);
    }

    boolean isByKey() {
      return gaps * GAP_POINTERS <= pointers;
    }
  }

  /** Counts a run. Returns the bytes of live values that it has in each segment. */
  private Map<Integer, Long> add(Run run, Table table, double dead) {
    TableProperties properties = table.properties();
    double share = (double) run.entries() / properties.entries();
    double live = properties.keyBytes() + properties.valueBytes() + properties.separatedBytes();
    double deadHeld = deadHeld(run, properties, dead);
    Map<Integer, Long> bySegment = new HashMap<>();
    for (TableProperties.SegmentUse each : properties.segments()) {
      if (run.isMovedOutOf(each.segment())) {
        continue;
      }
      double bytes =
          share * (each.valueBytes() + (double) each.pointers() * recordHead(properties));
      if (deadHeld > 0 && version.segment(each.segment()) != null) {
        shadowed.merge(each.segment(), deadHeld * bytes, Double::sum);
        double values = deadHeld * share * each.pointers();
        holeBytes += values * segmentHoles.bytesOfValue(each.valueBytes() / each.pointers());
      }
      bySegment.put(each.segment(), Math.round((1 - deadHeld) * bytes));
      order.merge(
          each.segment(), new Order(share * each.pointers(), share * each.gaps()), Order::plus);
    }
    liveBytes += share * (1 - dead) * live;
    return bySegment;
  }

  /**
   * The share of dead entries among the entries that still count in the accounts. Entries that
   * point into a segment that was moved out do not count, and all of them are dead.
   */
  private static double deadHeld(Run run, TableProperties properties, double dead) {
    double entries = properties.entries();
    double empty = properties.segments().stream()
        .filter(each -> run.isMovedOutOf(each.segment()))
        .mapToLong(TableProperties.SegmentUse::pointers)
        .sum();
    return empty == entries ? 0 : Math.max(0, (dead * entries - empty) / (entries - empty));
  }

  /** Bytes of a record without its value, on average. */
  private static long recordHead(TableProperties properties) {
    int key = (int) (properties.keyBytes() / properties.entries());
    return ValueLog.recordBytes(key, ValuePointer.of(1, 0, false, 0));
  }

  /** The version that was measured. */
  public Version version() {
    return version;
  }

  /** The shapes of the version's partitions. */
  public List<PartitionShape> described() {
    return described;
  }

  /** Bytes of the current keys and values, without overhead. */
  public long liveBytes() {
    return Math.max(0, Math.round(liveBytes));
  }

  /** Bytes that current entries take in the tables of partitions. */
  public long liveTableBytes() {
    return Math.round(liveTableBytes);
  }

  /**
   * The share of recent writes that replace no older entry. The youngest account gives the entries
   * replaced within the same segment, and the samples of level 0 give the entries replaced in the
   * files.
   */
  public double newShare() {
    return version.segments().stream()
        .max(Comparator.comparingInt(SegmentAccount::number))
        .map(last -> (1 - overwritten) * last.liveBytes() / Math.max(1, last.totalBytes()))
        .orElse(1 - overwritten);
  }

  /** The segments with an account. Holes do not count as part of a segment's size. */
  public List<ValueSegmentShape> shapes() {
    List<ValueSegmentShape> shapes = new ArrayList<>();
    for (SegmentAccount account : version.segments()) {
      long dead = Math.round(shadowed.getOrDefault(account.number(), 0.0));
      long live = Math.max(0, account.liveBytes() - dead);
      long total = Math.max(live, account.totalBytes() - segmentHoles.bytes(account.number()));
      shapes.add(new ValueSegmentShape(account.number(), total, live));
    }
    return shapes;
  }

  /** See {@link io.github.rlsm.policy.ValueUse#bytes}. */
  public Map<Integer, Long> bytes(PartitionShape partition, int run) {
    return Objects.requireNonNull(use.get(partition)).get(run);
  }

  /**
   * Whether most keys of a partition whose values are in the segment were written in ascending
   * order.
   */
  public boolean isWrittenByKey(PartitionShape partition, int segment) {
    Order here = Objects.requireNonNull(orders.get(partition)).get(segment);
    return here != null && here.isByKey();
  }

  /** See {@link io.github.rlsm.policy.ValueUse#holeBytes}. */
  public long holeBytes(PartitionShape partition) {
    return Objects.requireNonNull(holes.get(partition));
  }

  /** See {@link io.github.rlsm.policy.ValueUse#inL0}. */
  public Set<Integer> inL0() {
    return inL0;
  }
}
