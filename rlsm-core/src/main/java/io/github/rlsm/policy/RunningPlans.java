// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.policy.Plan.Compaction.Target;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The key ranges and L0 runs that running jobs hold. A new job must not conflict with them.
 *
 * <p>A job holds a key range in one of two modes. <em>Appending</em>: a compaction will append runs
 * to the partition in this range, or create the partition. <em>Rewriting</em>: a clean will replace
 * some runs of the partition by one. Each mode excludes itself. The two modes do not exclude each
 * other: a compaction adds at the end of the list, and a clean replaces runs that already exist. A
 * split or a merge moves no data and is installed at once, but only in a range that no job holds. A
 * compaction that widens a partition excludes cleans of it, and a clean excludes compactions that
 * widen the partition. So a partition's range is constant while a job runs on it, except for the
 * job that widens it.
 *
 * @param victims ids of the L0 runs that are being compacted
 * @param appending ranges of the targets of running compactions, after widening
 * @param rewriting ranges of the partitions that are being cleaned
 */
public record RunningPlans(Set<Long> victims, List<KeyRange> appending, List<KeyRange> rewriting) {

  /** No job is running. */
  public static final RunningPlans NONE = new RunningPlans(Set.of(), List.of(), List.of());

  /** Copies the collections. */
  public RunningPlans {
    victims = Set.copyOf(victims);
    appending = List.copyOf(appending);
    rewriting = List.copyOf(rewriting);
  }

  /** Collects the ranges and runs that plans hold between start and installation. */
  public static RunningPlans of(Collection<? extends Plan> running) {
    Set<Long> victims = new HashSet<>();
    List<KeyRange> appending = new ArrayList<>();
    List<KeyRange> rewriting = new ArrayList<>();
    for (Plan plan : running) {
      if (plan instanceof Plan.Compaction compact) {
        compact.victims().forEach(run -> victims.add(run.id()));
        compact.targets().forEach(target -> appending.add(target.range()));
      } else if (plan instanceof Plan.Clean clean) {
        rewriting.add(clean.partition().range());
      } else {
        KeyRange range = plan instanceof Plan.Merge merge
            ? merge.range()
            : ((Plan.Split) plan).partition().range();
        appending.add(range);
        rewriting.add(range);
      }
    }
    return new RunningPlans(victims, appending, rewriting);
  }

  /** Whether an L0 run is a victim, or intersects a range that a running compaction appends to. */
  boolean holds(RunShape l0Run) {
    return victims.contains(l0Run.id()) || holdsForAppending(l0Run.span());
  }

  /** Whether a running job prevents a compaction from appending to a target. */
  boolean holds(Target target) {
    return holdsForAppending(target.range())
        || (target.isWidened() && rewriting.stream().anyMatch(target.range()::intersects));
  }

  /** Whether a running job prevents a clean of the partition with this range. */
  boolean holdsForCleaning(KeyRange range) {
    return rewriting.stream().anyMatch(range::intersects)
        || appending.stream().anyMatch(held -> held.intersects(range) && !held.equals(range));
  }

  private boolean holdsForAppending(KeyRange range) {
    return appending.stream().anyMatch(range::intersects);
  }

  /** Whether a running job prevents a split or a merge in a range. */
  boolean holdsForReshaping(KeyRange range) {
    return holdsForAppending(range) || rewriting.stream().anyMatch(range::intersects);
  }
}
