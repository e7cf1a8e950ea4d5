// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.Stats;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** Sums the statistics of all shards. */
final class SummedStats {

  private final List<Stats> shards;
  private final long identityWrites;

  /**
   * Creates a sum.
   *
   * @param identityWrites number of identities written, which are not operations of the user
   */
  SummedStats(List<Stats> shards, long identityWrites) {
    this.shards = shards;
    this.identityWrites = identityWrites;
  }

  Stats sum(int openSnapshots) {
    return new Stats(
        writes(),
        reads(),
        space(),
        stalls(),
        failures(),
        new Stats.Resources(sums(s -> s.resources().memoryBytes()), mappings(), openSnapshots));
  }

  private Stats.Writes writes() {
    return new Stats.Writes(
        Math.max(0, sum(s -> s.writes().operations()) - identityWrites),
        Math.max(0, sum(s -> s.writes().userBytes()) - identityWrites * ShardIdentity.ENTRY_BYTES),
        sums(s -> s.writes().bytesByCause()),
        sum(s -> s.writes().syncs()),
        sum(s -> s.writes().syncedWrites()));
  }

  private Stats.Reads reads() {
    return new Stats.Reads(
        sum(s -> s.reads().gets()),
        sum(s -> s.reads().memoryHits()),
        new Stats.Cache(
            sum(s -> s.reads().cache().hits()), sum(s -> s.reads().cache().misses())),
        new Stats.Filters(
            sum(s -> s.reads().filters().negatives()),
            sum(s -> s.reads().filters().falsePositives())),
        sum(s -> s.reads().getPages()),
        sum(s -> s.reads().pagesRead()));
  }

  private Stats.Space space() {
    return new Stats.Space(
        sum(s -> s.space().diskBytes()),
        sum(s -> s.space().liveBytes()),
        sum(s -> s.space().deadBytes()),
        sum(s -> s.space().freedSegments()));
  }

  private Stats.Stalls stalls() {
    return new Stats.Stalls(sum(s -> s.stalls().count()), sum(s -> s.stalls().nanos()));
  }

  private Stats.Failures failures() {
    return new Stats.Failures(
        sum(s -> s.failures().degraded()),
        sum(s -> s.failures().resumed()),
        sum(s -> s.failures().retries()),
        sum(s -> s.failures().readOnly()));
  }

  /** The limit applies to the whole process, so every shard reports the same number. */
  private Stats.Mappings mappings() {
    long max =
        shards.stream().mapToLong(s -> s.resources().mappings().max()).max().orElse(0);
    return new Stats.Mappings(sum(s -> s.resources().mappings().open()), max);
  }

  private long sum(ToLongFunction<Stats> figure) {
    return shards.stream().mapToLong(figure).sum();
  }

  private Map<String, Long> sums(Function<Stats, Map<String, Long>> figures) {
    Map<String, Long> sums = new TreeMap<>();
    shards.forEach(
        stats -> figures.apply(stats).forEach((name, bytes) -> sums.merge(name, bytes, Long::sum)));
    return sums;
  }
}
