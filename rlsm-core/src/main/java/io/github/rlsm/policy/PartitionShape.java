// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of one partition of L1 as policies see it. Immutable. Totals are computed once, so
 * the owner should keep a partition's shape until the partition's runs change.
 */
public final class PartitionShape {

  private final KeyRange range;
  private final List<RunShape> runs;
  private final long bytes;
  private final long entries;
  private final long pointers;
  private final long valueBytes;
  private final long garbage;
  private final int depth;

  /**
   * Describes a partition.
   *
   * @param range the partition's keys; not empty
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
    this.depth = deepest(this.runs).cardinality();
  }

  private long sum(ToLongFunction<RunShape> figure) {
    return runs.stream().mapToLong(figure).sum();
  }

  /** The range of the partition's keys. */
  public KeyRange range() {
    return range;
  }

  /** The runs from oldest to newest. */
  public List<RunShape> runs() {
    return runs;
  }

  /** Bytes of all runs. */
  public long bytes() {
    return bytes;
  }

  /** Entries of all runs with a value in the value log. */
  long pointers() {
    return pointers;
  }

  /** Bytes of the partition's values in the value log, shadowed values included. */
  long valueBytes() {
    return valueBytes;
  }

  /** Entries of all runs, shadowed entries included. */
  public long entries() {
    return entries;
  }

  /**
   * The share of entries that a rewrite of the whole partition would drop: shadowed entries and
   * tombstones. From 0 to 1, and 0 for an empty partition.
   */
  public double garbageFraction() {
    return entries == 0 ? 0 : Math.min(1, (double) garbage / entries);
  }

  /** The largest number of runs that overlap at one key. */
  public int depth() {
    return depth;
  }

  /** The indexes of the runs that overlap at the key with the most runs. */
  BitSet deepest() {
    return deepest(runs);
  }

  /**
   * The indexes of the runs that overlap at the key with the most runs. Their number is the largest
   * number of runs that a lookup has to search.
   */
  static BitSet deepest(List<RunShape> runs) {
    List<RunShape> byStart = new ArrayList<>(runs);
    byStart.sort((a, b) -> Arrays.compareUnsigned(a.span().from(), b.span().from()));
    List<RunShape> byEnd = new ArrayList<>(runs);
    byEnd.sort((a, b) -> Arrays.compareUnsigned(a.span().to(), b.span().to()));
    int ended = 0;
    int most = 0;
    byte[] where = new byte[0];
    for (int started = 1; started <= byStart.size(); started++) {
      byte[] start = Objects.requireNonNull(byStart.get(started - 1).span().from());
      while (Arrays.compareUnsigned(byEnd.get(ended).span().to(), start) <= 0) {
        ended++;
      }
      if (started - ended > most) {
        most = started - ended;
        where = start;
      }
    }
    BitSet deepest = new BitSet(runs.size());
    for (int i = 0; i < runs.size(); i++) {
      deepest.set(i, runs.get(i).span().contains(where));
    }
    return deepest;
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
