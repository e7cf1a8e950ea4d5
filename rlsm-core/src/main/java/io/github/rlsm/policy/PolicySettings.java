// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.kv.InvalidOptionsException;
import java.util.ArrayList;
import java.util.List;

/**
 * The thresholds of all policies except the stall policy.
 *
 * @param l0 when runs leave L0, and how many at once
 * @param partitions the sizes of partitions
 * @param runs the runs of a partition, and their garbage
 * @param flushBytes the bytes that one flush adds to tables and the value log, which is the unit
 *     for the size of the store; at least 1, default 64 MiB
 * @param parallelism the number of jobs that may move data at the same time; at least 1, default 2
 */
public record PolicySettings(
    Level0 l0, Partitions partitions, Runs runs, long flushBytes, int parallelism) {

  /**
   * When runs leave L0, and how many at once.
   *
   * @param l0Trigger compaction starts when L0 has more runs than this; at least 0, default 4
   * @param victimCountMin the number of victims that a compaction takes if recency and
   *     {@code compactBytesMax} allow it. More victims at once produce fewer, larger runs. At least
   *     1, default 4
   * @param compactBytesMax the limit on the bytes of one compaction's victims, unless a single
   *     victim is larger; at least 1, default 512 MiB
   */
  public record Level0(int l0Trigger, int victimCountMin, long compactBytesMax) {

    private void check(List<String> problems) {
      require(problems, l0Trigger >= 0, "l0Trigger", l0Trigger, "at least 0");
      require(problems, victimCountMin >= 1, "victimCountMin", victimCountMin, "at least 1");
      require(problems, compactBytesMax >= 1, "compactBytesMax", compactBytesMax, "at least 1");
    }
  }

  /**
   * The sizes of partitions.
   *
   * @param partitionBytesMin a smaller partition is merged with a neighbour; from 0 to a quarter of
   *     {@code partitionBytesMax}, default an eighth of it
   * @param partitionBytesMax a larger partition is split; at least 8, default 120 MiB as in the
   *     paper
   * @param newRangeEntriesMin the number of entries in a gap between partitions that opens a new
   *     partition; fewer entries widen a neighbour. At least 1, default 1,000
   */
  public record Partitions(
      long partitionBytesMin, long partitionBytesMax, long newRangeEntriesMin) {

    private void check(List<String> problems) {
      require(
          problems, partitionBytesMax >= 8, "partitionBytesMax", partitionBytesMax, "at least 8");
      require(
          problems,
          partitionBytesMin >= 0 && partitionBytesMin <= partitionBytesMax / 4,
          "partitionBytesMin",
          partitionBytesMin,
          "from 0 to a quarter of partitionBytesMax");
      require(
          problems,
          newRangeEntriesMin >= 1,
          "newRangeEntriesMin",
          newRangeEntriesMin,
          "at least 1");
    }
  }

  /**
   * The runs of a partition, and their garbage.
   *
   * @param runCountMax the number of runs of a partition that may overlap at one key before some
   *     are merged; at least 1, default 8
   * @param linkBytesMin a slice of at least this size is linked into its partition instead of
   *     copied; at least 0 (link all), default 256 KiB. A larger size makes fewer runs and costs
   *     writes
   * @param deadFractionMax the share of garbage among a partition's entries above which it is
   *     rewritten; between 0 and 1, default 0.5. A smaller share saves space and costs writes
   * @param pinnedFractionMax the share of all tables' bytes that may be pinned before links are
   *     rewritten. A pinned part is in no run, and cannot be freed since another part of its table
   *     is still linked. Between 0 and 1, default 0.2. A smaller share saves space and costs writes
   */
  public record Runs(
      int runCountMax, long linkBytesMin, double deadFractionMax, double pinnedFractionMax) {

    private void check(List<String> problems) {
      require(problems, runCountMax >= 1, "runCountMax", runCountMax, "at least 1");
      require(problems, linkBytesMin >= 0, "linkBytesMin", linkBytesMin, "at least 0");
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
    }
  }

  private static final long KIB = 1024;
  private static final long MIB = 1024 * KIB;

  /**
   * The share of garbage, and of pinned space, that an idle store tolerates. Rewriting nine live
   * bytes to reclaim one dead byte is not worthwhile, and estimates have errors of a few percent.
   */
  private static final double IDLE_FRACTION_MAX = 0.1;

  /** A store of up to this many flushes is small: 4 GiB with the largest segments. */
  private static final int SMALL_FLUSHES = 64;

  private static final int DOUBLINGS_MAX = 12;
  private static final int PARTITIONS = 1_024;

  /** A run of a whole partition should be one table; see the engine's maximum table size. */
  private static final long PARTITION_BYTES_MAX = 960 * MIB;

  /** The defaults given above. */
  public static final PolicySettings DEFAULT = new PolicySettings(
      new Level0(4, 4, 512 * MIB),
      new Partitions(15 * MIB, 120 * MIB, 1_000),
      new Runs(8, 256 * KIB, 0.5, 0.2),
      64 * MIB,
      2);

  /** Checks every setting and reports all that are out of range at once. */
  public PolicySettings {
    List<String> problems = new ArrayList<>();
    l0.check(problems);
    partitions.check(problems);
    runs.check(problems);
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
   * The thresholds for a store of a given size.
   *
   * <p>In a store of x flushes, each partition gets the x-th part of a compaction, and must finally
   * merge x / l0Trigger runs into one. With k runs over a key this takes w rewrites, where
   * binomial(k + w, w) = x / l0Trigger. With constant k, w grows without bound, as the k-th root of
   * x. So with each doubling beyond {@value #SMALL_FLUSHES} flushes, L0 and partitions may have one
   * run more, up to {@value #DOUBLINGS_MAX} more. Then rewrites and runs both grow with the
   * logarithm of the size. Point lookups hardly notice the additional runs, since every run has a
   * filter in memory.
   *
   * <p>Partitions grow so that their number does not exceed {@value #PARTITIONS} by much. Each
   * partition is a separate table in each compaction, and a table of less than some hundred KiB is
   * not worth a file.
   *
   * @param tableBytes bytes of all tables in use
   * @param valueBytes bytes of all values in the value log in use
   */
  public PolicySettings grownTo(double tableBytes, double valueBytes) {
    double flushes = (tableBytes + valueBytes) / flushBytes;
    int more = Math.min(DOUBLINGS_MAX, doublings(flushes / SMALL_FLUSHES));
    long bytesMax = partitions.partitionBytesMax;
    int wider = doublings(tableBytes / PARTITIONS / bytesMax);
    long partition =
        Math.max(bytesMax, Math.min(PARTITION_BYTES_MAX, bytesMax << Math.min(wider, 20)));
    int trigger = plus(l0.l0Trigger, more);
    return new PolicySettings(
        new Level0(
            trigger,
            Math.max(l0.victimCountMin, plus(trigger, 1)),
            Math.max(l0.compactBytesMax, plus(trigger, 1) * flushBytes)),
        new Partitions(
            partitions.partitionBytesMin * (partition / bytesMax),
            partition,
            partitions.newRangeEntriesMin),
        new Runs(
            plus(runs.runCountMax, more),
            runs.linkBytesMin,
            runs.deadFractionMax,
            runs.pinnedFractionMax),
        flushBytes,
        parallelism);
  }

  /** The thresholds for the given levels at their present size. */
  public PolicySettings grownTo(LevelShape level) {
    double tables = level.l0().stream().mapToDouble(RunShape::bytes).sum();
    double values = level.l0().stream().mapToDouble(RunShape::valueBytes).sum();
    for (PartitionShape partition : level.l1()) {
      tables += partition.bytes();
      values += partition.valueBytes();
    }
    return grownTo(tables, values);
  }

  /** Adds without overflow, so that an unlimited number stays unlimited. */
  private static int plus(int limit, int more) {
    return (int) Math.min(Integer.MAX_VALUE, (long) limit + more);
  }

  private static int doublings(double ratio) {
    return ratio < 2 ? 0 : Math.getExponent(ratio);
  }

  /**
   * The thresholds for a store that is short of space while L0 points into value segments worth
   * reclaiming. L0 is emptied early, since these segments cannot be reclaimed before.
   */
  public PolicySettings whenL0IsInTheWay() {
    Level0 early = new Level0(Math.min(l0.l0Trigger, 1), l0.victimCountMin, l0.compactBytesMax);
    return new PolicySettings(early, partitions, runs, flushBytes, parallelism);
  }

  /**
   * The thresholds for a store without writes. L0 is emptied at any size, and partitions are
   * rewritten for little garbage or pinned space.
   */
  public PolicySettings whenIdle() {
    return new PolicySettings(
        new Level0(0, Integer.MAX_VALUE, l0.compactBytesMax),
        partitions,
        new Runs(
            runs.runCountMax,
            runs.linkBytesMin,
            Math.min(runs.deadFractionMax, IDLE_FRACTION_MAX),
            Math.min(runs.pinnedFractionMax, IDLE_FRACTION_MAX)),
        flushBytes,
        parallelism);
  }

  /** See {@link Level0}. */
  public int l0Trigger() {
    return l0.l0Trigger;
  }

  /** See {@link Level0}. */
  public int victimCountMin() {
    return l0.victimCountMin;
  }

  /** See {@link Level0}. */
  public long compactBytesMax() {
    return l0.compactBytesMax;
  }

  /** See {@link Partitions}. */
  public long partitionBytesMin() {
    return partitions.partitionBytesMin;
  }

  /** See {@link Partitions}. */
  public long partitionBytesMax() {
    return partitions.partitionBytesMax;
  }

  /** See {@link Partitions}. */
  public long newRangeEntriesMin() {
    return partitions.newRangeEntriesMin;
  }

  /** See {@link Runs}. */
  public int runCountMax() {
    return runs.runCountMax;
  }

  /** See {@link Runs}. */
  public long linkBytesMin() {
    return runs.linkBytesMin;
  }

  /** See {@link Runs}. */
  public double deadFractionMax() {
    return runs.deadFractionMax;
  }

  /** See {@link Runs}. */
  public double pinnedFractionMax() {
    return runs.pinnedFractionMax;
  }
}
