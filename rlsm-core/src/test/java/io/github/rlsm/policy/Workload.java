// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/**
 * Flushes of equal size with keys from a given rule. After each flush, all due jobs run. Not
 * thread-safe.
 */
final class Workload {

  static final int ENTRY_BYTES = 100;

  private final ModelLevel level = new ModelLevel(ENTRY_BYTES, 16);
  private final PolicySettings settings;
  private final CompactionPicker planner;
  private final int flushEntries;
  private long seqno;
  private int written;
  private int deepest;
  private int mostRuns;
  private double worstPinned = 1;
  private long splits;
  private long merges;

  /** Creates a workload whose flushes have {@code flushEntries} distinct keys each. */
  Workload(PolicySettings settings, int flushEntries) {
    this.settings = settings;
    this.planner = new CompactionPicker(level, settings);
    this.flushEntries = flushEntries;
  }

  ModelLevel level() {
    return level;
  }

  int deepest() {
    return deepest;
  }

  int mostRuns() {
    return mostRuns;
  }

  /** The number of splits so far. */
  long splits() {
    return splits;
  }

  /** The number of merges so far. */
  long merges() {
    return merges;
  }

  /**
   * Flushes a number of times.
   *
   * @param keyOf the key of the n-th write, counted from 0 over all flushes
   */
  void put(int flushes, IntUnaryOperator keyOf) {
    write(flushes, keyOf, 1);
  }

  /** As {@link #put}, but every write is a delete. */
  void delete(int flushes, IntUnaryOperator keyOf) {
    write(flushes, keyOf, -1);
  }

  private void write(int flushes, IntUnaryOperator keyOf, int sign) {
    for (int i = 0; i < flushes; i++) {
      TreeMap<Integer, Long> contents = new TreeMap<>();
      while (contents.size() < flushEntries) {
        contents.put(keyOf.applyAsInt(written++), sign * ++seqno);
      }
      level.flush(contents);
      settle(planner);
    }
  }

  /** The largest ratio of file sizes to the bytes that runs use, over all flushes. */
  double worstPinned() {
    return worstPinned;
  }

  /** Does the work of an idle store. */
  void idle() {
    settle(new CompactionPicker(level, settings.whenIdle()));
  }

  private void settle(CompactionPicker jobs) {
    LevelShape shape = level.shape();
    for (Optional<Plan> plan = jobs.next(shape, List.of());
        plan.isPresent();
        plan = jobs.next(shape, List.of())) {
      level.install(plan.get());
      splits += plan.get() instanceof Plan.Split ? 1 : 0;
      merges += plan.get() instanceof Plan.Merge ? 1 : 0;
      shape = level.shape();
    }
    worstPinned =
        Math.max(worstPinned, (double) level.entriesOnDisk() / Math.max(1, storedEntries()));
    for (PartitionShape partition : shape.l1()) {
      deepest = Math.max(deepest, partition.depth());
      mostRuns = Math.max(mostRuns, partition.runs().size());
    }
  }

  /** Entries in both levels, shadowed ones and tombstones included. */
  long storedEntries() {
    LevelShape shape = level.shape();
    return shape.l0().stream().mapToLong(RunShape::entries).sum()
        + shape.l1().stream().mapToLong(PartitionShape::entries).sum();
  }

  /** Returns keys drawn evenly from a space, by a seeded generator. */
  static IntUnaryOperator uniform(int space, long seed) {
    Random random = new Random(seed);
    return n -> random.nextInt(space);
  }
}
