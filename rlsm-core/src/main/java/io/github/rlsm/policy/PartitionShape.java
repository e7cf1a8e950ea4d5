// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a decision may know of one partition of L1. Immutable; totals are counted once, so the owner
 * should keep the shape of a partition until its runs change.
 */
public final class PartitionShape {

  private static final int WEIGHT_MAX = 4;

  private final KeyRange range;
  private final List<RunShape> runs;
  private final long bytes;
  private final long entries;
  private final long pointers;
  private final long valueBytes;
  private final long garbage;
  private final double garbageWeight;
  private final int depth;

  /**
   * Describes a partition.
   *
   * @param range the keys it is in charge of; not empty
   * @param runs its runs from oldest to newest, each with its span inside the range
   */
  public PartitionShape(KeyRange range, List<RunShape> runs) {
    if (range.isEmpty()) {
      throw new IllegalArgumentException("partition " + range + " is empty");
    }
    for (RunShape run : runs) {
      if (!range.covers(run.span())) {
        throw new IllegalArgumentException(
            "run " + run.id() + " spans " + run.span() + ", outside its partition " + range);
      }
    }
    this.range = range;
    this.runs = List.copyOf(runs);
    this.bytes = sum(RunShape::bytes);
    this.entries = sum(RunShape::entries);
    this.pointers = sum(RunShape::pointers);
    this.valueBytes = sum(RunShape::valueBytes);
    this.garbage = sum(run -> run.deadEntries() + run.tombstones());
    this.garbageWeight = weigh();
    this.depth = Overlap.deepest(this.runs).cardinality();
  }

  private long sum(ToLongFunction<RunShape> figure) {
    return runs.stream().mapToLong(figure).sum();
  }

  private double weigh() {
    double freed = runs.stream().mapToDouble(RunShape::garbageBytes).sum();
    double share = garbageFraction();
    double gain = bytes == 0 ? 0 : freed / bytes;
    return Math.max(share, Math.min(gain, Math.min(1, WEIGHT_MAX * share)));
  }

  /** The keys it is in charge of. */
  public KeyRange range() {
    return range;
  }

  /** Its runs from oldest to newest. */
  public List<RunShape> runs() {
    return runs;
  }

  /** Bytes of all runs. */
  public long bytes() {
    return bytes;
  }

  /** Entries of all runs whose values stand in the value log. */
  long pointers() {
    return pointers;
  }

  /** Bytes of the values that stand in the value log, shadowed ones included. */
  long valueBytes() {
    return valueBytes;
  }

  /** Entries of all runs, shadowed ones included. */
  public long entries() {
    return entries;
  }

  /**
   * The share of entries that a rewrite of the whole partition would drop: shadowed entries and
   * tombstones; from 0 to 1, and 0 for an empty partition.
   */
  public double garbageFraction() {
    return entries == 0 ? 0 : Math.min(1, (double) garbage / entries);
  }

  /**
   * The garbage in bytes, values in the value log included, by the bytes that are read and written
   * to find it: the {@linkplain #garbageFraction share of entries} where values stand in the
   * tables; more where small entries point to large values. From 0 to 1, and at most
   * {@value #WEIGHT_MAX} times the share of entries: that is an estimate, and must be worth more
   * than its error.
   */
  public double garbageWeight() {
    return garbageWeight;
  }

  /** The most runs that may hold one key. */
  public int depth() {
    return depth;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PartitionShape shape
        && range.equals(shape.range)
        && runs.equals(shape.runs);
  }

  @Override
  public int hashCode() {
    return 31 * range.hashCode() + runs.hashCode();
  }

  @Override
  public String toString() {
    return range + " " + runs;
  }
}
