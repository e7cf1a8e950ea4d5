// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.policy.CompactPlan.Target;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What running jobs hold, so that the next one keeps out of their way.
 *
 * <p>Two kinds of hold on a key range suffice. <em>Appending</em>: a compaction will add runs at
 * the end of the partition, or make one, in this range. <em>Rewriting</em>: a clean will replace
 * some of the partition's runs by one. They do not exclude each other, as one works at the list's
 * end and the other on runs that are there already; each excludes its own kind. A split or a merge
 * moves no data and is installed at once, but only where nothing else is held. So is widening while
 * the partition is cleaned excluded, and the other way round: a partition keeps its range as long
 * as any job on it runs, but for the job that widens it.
 *
 * @param victims ids of L0 runs that are being compacted
 * @param appending ranges of the targets of running compactions, as they will be
 * @param rewriting ranges of partitions that are being cleaned
 */
public record Busy(Set<Long> victims, List<KeyRange> appending, List<KeyRange> rewriting) {

  /** Nothing is running. */
  public static final Busy NONE = new Busy(Set.of(), List.of(), List.of());

  /** Takes copies. */
  public Busy {
    victims = Set.copyOf(victims);
    appending = List.copyOf(appending);
    rewriting = List.copyOf(rewriting);
  }

  /** What plans hold that have been started and not yet installed. */
  public static Busy of(Collection<? extends Plan> running) {
    Set<Long> victims = new HashSet<>();
    List<KeyRange> appending = new ArrayList<>();
    List<KeyRange> rewriting = new ArrayList<>();
    for (Plan plan : running) {
      if (plan instanceof CompactPlan compact) {
        compact.victims().forEach(run -> victims.add(run.id()));
        compact.targets().forEach(target -> appending.add(target.range()));
      } else if (plan instanceof CleanPlan clean) {
        rewriting.add(clean.partition().range());
      } else {
        KeyRange range = plan instanceof MergePlan merge
            ? merge.range()
            : ((SplitPlan) plan).partition().range();
        appending.add(range);
        rewriting.add(range);
      }
    }
    return new Busy(victims, appending, rewriting);
  }

  /** Whether an L0 run is taken, or would go where a running compaction appends. */
  boolean holds(RunShape l0Run) {
    return victims.contains(l0Run.id()) || holdsForAppending(l0Run.span());
  }

  /** Whether a compaction may not append to a target. */
  boolean holds(Target target) {
    return holdsForAppending(target.range())
        || (target.isWidened() && rewriting.stream().anyMatch(target.range()::intersects));
  }

  /** Whether a partition with this range may not be cleaned. */
  boolean holdsForCleaning(KeyRange range) {
    return rewriting.stream().anyMatch(range::intersects)
        || appending.stream().anyMatch(held -> held.intersects(range) && !held.equals(range));
  }

  private boolean holdsForAppending(KeyRange range) {
    return appending.stream().anyMatch(range::intersects);
  }

  /** Whether a range may be neither split nor merged. */
  boolean holdsForReshaping(KeyRange range) {
    return holdsForAppending(range) || rewriting.stream().anyMatch(range::intersects);
  }
}
