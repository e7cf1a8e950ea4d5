// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.kv.InvalidOptionsException;
import java.util.ArrayList;
import java.util.List;

/**
 * The thresholds of all decisions but the stall policy's.
 *
 * @param l0Trigger compaction starts when L0 holds more runs than this; at least 0, default 4
 * @param victimCountMin how many victims a compaction takes at least if recency and
 *     {@code compactBytesMax} allow; more at once make fewer, larger runs. At least 1, default 4
 * @param compactBytesMax victims of one compaction weigh no more unless the first one alone does;
 *     at least 1, default 512 MiB
 * @param partitionBytesMax a larger partition is split; at least 8, default 120 MiB as in the paper
 * @param partitionBytesMin a smaller partition is merged with a neighbour; at most a quarter of
 *     {@code partitionBytesMax}, default an eighth of it
 * @param runCountMax how many runs of a partition may hold the same key before some are rewritten
 *     as one; at least 1, default 8
 * @param deadFractionMax share of garbage among a partition's entries above which it is rewritten;
 *     between 0 and 1, default 0.5. Smaller saves space and costs writes
 * @param pinnedFractionMax share of all tables' bytes that may be pinned, neither used by any run
 *     nor free since another part of the table is still linked, before links are rewritten; between
 *     0 and 1, default 0.2. Smaller saves space and costs writes
 * @param linkBytesMin slices at least this large are linked into their partition instead of copied;
 *     at least 0 (link all), default 256 KiB. Larger makes fewer runs and costs writes
 * @param newRangeEntriesMin entries outside every range open a new partition if there are as many
 *     as this, and else widen a neighbour; at least 1, default 1,000
 * @param flushBytes what one flush brings, in tables and in the value log, which the size of the
 *     store is measured by; at least 1, default 64 MiB
 * @param parallelism how many jobs that move data may run at once; at least 1, default 2
 */
public record PolicySettings(
    int l0Trigger,
    int victimCountMin,
    long compactBytesMax,
    long partitionBytesMax,
    long partitionBytesMin,
    int runCountMax,
    double deadFractionMax,
    double pinnedFractionMax,
    long linkBytesMin,
    long newRangeEntriesMin,
    long flushBytes,
    int parallelism) {

  private static final long KIB = 1024;
  private static final long MIB = 1024 * KIB;

  /**
   * The share of garbage, and of pinned space, that an idle store still leaves alone: to rewrite
   * nine bytes that live for one that does not is not worth it, and estimates err by a few in a
   * hundred.
   */
  private static final double IDLE_FRACTION_MAX = 0.1;

  /** Up to so many flushes a store is small: 4 GiB with the largest segments. */
  private static final int SMALL_FLUSHES = 64;

  private static final int DOUBLINGS_MAX = 12;
  private static final int PARTITIONS = 1_024;

  /** A run of a whole partition should be one table; see the engine's longest. */
  private static final long PARTITION_BYTES_MAX = 960 * MIB;

  /** The defaults named above. */
  public static final PolicySettings DEFAULT = new PolicySettings(
      4, 4, 512 * MIB, 120 * MIB, 15 * MIB, 8, 0.5, 0.2, 256 * KIB, 1_000, 64 * MIB, 2);

  /** Checks every setting and names all that are out of range at once. */
  public PolicySettings {
    List<String> problems = new ArrayList<>();
    require(problems, l0Trigger >= 0, "l0Trigger", l0Trigger, "at least 0");
    require(problems, victimCountMin >= 1, "victimCountMin", victimCountMin, "at least 1");
    require(problems, compactBytesMax >= 1, "compactBytesMax", compactBytesMax, "at least 1");
    require(problems, partitionBytesMax >= 8, "partitionBytesMax", partitionBytesMax, "at least 8");
    require(
        problems,
        partitionBytesMin >= 0 && partitionBytesMin <= partitionBytesMax / 4,
        "partitionBytesMin",
        partitionBytesMin,
        "from 0 to a quarter of partitionBytesMax");
    require(problems, runCountMax >= 1, "runCountMax", runCountMax, "at least 1");
    require(
        problems,
        deadFractionMax > 0 && deadFractionMax < 1,
        "deadFractionMax",
        deadFractionMax,
        "between 0 and 1");
    require(
        problems,
        pinnedFractionMax > 0 && pinnedFractionMax < 1,
        "pinnedFractionMax",
        pinnedFractionMax,
        "between 0 and 1");
    require(problems, linkBytesMin >= 0, "linkBytesMin", linkBytesMin, "at least 0");
    require(
        problems, newRangeEntriesMin >= 1, "newRangeEntriesMin", newRangeEntriesMin, "at least 1");
    require(problems, flushBytes >= 1, "flushBytes", flushBytes, "at least 1");
    require(problems, parallelism >= 1, "parallelism", parallelism, "at least 1");
    if (!problems.isEmpty()) {
      throw new InvalidOptionsException(problems);
    }
  }

  private static void require(
      List<String> problems, boolean legal, String name, Number value, String rule) {
    if (!legal) {
      problems.add(name + " is " + value + " but must be " + rule);
    }
  }

  /**
   * The thresholds for a store of some size.
   *
   * <p>Of a store of x flushes, partitions get the x-th part of what is compacted at once, and must
   * merge x / l0Trigger runs into one in the end: with k runs over a key that takes w rewrites
   * where binomial(k + w, w) = x / l0Trigger. With k fixed w grows as the k-th root of x and
   * without end; so with each doubling beyond {@value #SMALL_FLUSHES} flushes L0 and partitions may
   * hold one run more, up to {@value #DOUBLINGS_MAX}: the numbers of rewrites and of runs both grow
   * with the logarithm of the size. Point lookups do not see it, as every run has a filter in
   * memory. Partitions grow such that there are not many more than {@value #PARTITIONS}: each is a
   * table of its own in each compaction, and a table of less than some hundred KiB is not worth its
   * file.
   *
   * @param tableBytes bytes of all tables in use
   * @param valueBytes bytes of all values in the value log in use
   */
  public PolicySettings grownTo(double tableBytes, double valueBytes) {
    double flushes = (tableBytes + valueBytes) / flushBytes;
    int more = Math.min(DOUBLINGS_MAX, doublings(flushes / SMALL_FLUSHES));
    int wider = doublings(tableBytes / PARTITIONS / partitionBytesMax);
    long partition = Math.max(
        partitionBytesMax, Math.min(PARTITION_BYTES_MAX, partitionBytesMax << Math.min(wider, 20)));
    int trigger = plus(l0Trigger, more);
    return new PolicySettings(
        trigger,
        Math.max(victimCountMin, plus(trigger, 1)),
        Math.max(compactBytesMax, plus(trigger, 1) * flushBytes),
        partition,
        partitionBytesMin * (partition / partitionBytesMax),
        plus(runCountMax, more),
        deadFractionMax,
        pinnedFractionMax,
        linkBytesMin,
        newRangeEntriesMin,
        flushBytes,
        parallelism);
  }

  /** The thresholds for a level as it is. */
  public PolicySettings grownTo(LevelShape level) {
    double tables = level.l0().stream().mapToDouble(RunShape::bytes).sum();
    double values = level.l0().stream().mapToDouble(RunShape::valueBytes).sum();
    for (PartitionShape partition : level.l1()) {
      tables += partition.bytes();
      values += partition.valueBytes();
    }
    return grownTo(tables, values);
  }

  /** No limit at all stays none. */
  private static int plus(int limit, int more) {
    return (int) Math.min(Integer.MAX_VALUE, (long) limit + more);
  }

  private static int doublings(double ratio) {
    return ratio < 2 ? 0 : Math.getExponent(ratio);
  }

  /**
   * The thresholds for a store that takes too much space in value segments that L0 points into: it
   * is emptied early, since they cannot be freed before.
   */
  public PolicySettings whenL0IsInTheWay() {
    return new PolicySettings(
        Math.min(l0Trigger, 1),
        victimCountMin,
        compactBytesMax,
        partitionBytesMax,
        partitionBytesMin,
        runCountMax,
        deadFractionMax,
        pinnedFractionMax,
        linkBytesMin,
        newRangeEntriesMin,
        flushBytes,
        parallelism);
  }

  /**
   * The thresholds for a store that nobody writes to: L0 is emptied whatever its size, and
   * partitions are rewritten for little garbage or pinned space.
   */
  public PolicySettings whenIdle() {
    return new PolicySettings(
        0,
        Integer.MAX_VALUE,
        compactBytesMax,
        partitionBytesMax,
        partitionBytesMin,
        runCountMax,
        Math.min(deadFractionMax, IDLE_FRACTION_MAX),
        Math.min(pinnedFractionMax, IDLE_FRACTION_MAX),
        linkBytesMin,
        newRangeEntriesMin,
        flushBytes,
        parallelism);
  }
}
