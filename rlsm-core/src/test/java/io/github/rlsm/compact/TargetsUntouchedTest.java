// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.IoEvent;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.policy.AppendPlanner;
import io.github.rlsm.policy.Plan;
import io.github.rlsm.policy.PolicySettings;
import io.github.rlsm.table.Table;
import io.github.rlsm.version.Partition;
import io.github.rlsm.version.Run;
import io.github.rlsm.version.Version;
import io.github.rlsm.version.VersionEdit;
import io.github.rlsm.versionset.PinnedVersion;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The core of RLSM: a compaction reads only its victims, if it copies them at all, and writes only
 * the appended runs. It reads no page of a table that is already in level 1, and does not touch its
 * file.
 */
class TargetsUntouchedTest {

  private static final int LEVELS = 30;

  private int linked;
  private int copied;

  /** Links all slices, or copies the slices of victims that lie in several partitions. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1L << 40})
  void compactionTouchesVictimsAlone(long linkBytesMin) {
    for (int seed = 0; seed < LEVELS; seed++) {
      try (ManyPartitions level = new ManyPartitions(10)) {
        compact(level, new SplittableRandom(seed), linkBytesMin, "seed " + seed);
      }
    }
    // A victim that lies within one partition is linked, independent of its size.
    assertThat(linked).isPositive();
    assertThat(copied > 0).isEqualTo(linkBytesMin > 0);
  }

  private void compact(
      ManyPartitions level, SplittableRandom random, long linkBytesMin, String seed) {
    fill(level, random);
    PinnedVersion<Table> files = level.pin();
    Version before = files.version();
    Levels levels = new Levels(files, new PartitionShapes());
    Plan.Compaction plan = new AppendPlanner(levels, settings(linkBytesMin))
        .plan(levels.shape(), levels.shape().l0());
    Map<Long, Long> readBefore = before.tables().stream()
        .collect(
            Collectors.toMap(table -> table.number(), table -> level.pagesRead(table.number())));
    Set<String> disturbed = new HashSet<>();
    level.directory.onEvent(event -> {
      if (!EnumSet.of(IoEvent.Kind.LIST, IoEvent.Kind.LOOK_UP).contains(event.kind())) {
        disturbed.add(event.file());
      }
    });
    Function<Version, VersionEdit> edit =
        new CompactionJob(files, level.tables, level.places).run(plan);
    Version after = level.versions.install(edit);
    for (Partition partition : before.partitions()) {
      for (Run run : partition.runs()) {
        assertThat(disturbed).as(seed).doesNotContain(StoreFileName.table(run.table()));
        assertThat(level.pagesRead(run.table()) - readBefore.get(run.table()))
            .as(seed)
            .isZero();
      }
      assertThat(after.partitions())
          .as(seed)
          .anySatisfy(
              now -> assertThat(now.runs()).startsWith(partition.runs().toArray(new Run[0])));
    }
    long victimPages = before.l0().stream()
        .mapToLong(run -> level.pagesRead(run.table()) - readBefore.get(run.table()))
        .sum();
    boolean copies = plan.targets().stream()
        .flatMap(target -> target.runs().stream())
        .anyMatch(Plan.Compaction.Rewrite.class::isInstance);
    assertThat(victimPages).as(seed).matches(pages -> copies ? pages > 0 : pages == 0);
    count(plan);
    files.unpin();
  }

  private void count(Plan.Compaction plan) {
    for (Plan.Compaction.Target target : plan.targets()) {
      for (Plan.Compaction.NewRun run : target.runs()) {
        if (run instanceof Plan.Compaction.Link) {
          linked++;
        } else {
          copied++;
        }
      }
    }
  }

  private static void fill(ManyPartitions level, SplittableRandom random) {
    int partitions = 1 + random.nextInt(5);
    for (int p = 0; p < partitions; p++) {
      int step = 1 + random.nextInt(3);
      level.add(p, step, random.ints(1 + random.nextInt(6), 0, 500).toArray());
    }
    int victims = 1 + random.nextInt(4);
    for (int v = 0; v < victims; v++) {
      int first = random.nextInt(partitions);
      int end = first + 1 + random.nextInt(partitions - first);
      int step = 1 + random.nextInt(3);
      level.addL0Across(IntStream.range(first, end).toArray(), step, random.nextInt(500));
    }
  }

  private static PolicySettings settings(long linkBytesMin) {
    PolicySettings defaults = PolicySettings.DEFAULT;
    return new PolicySettings(
        defaults.l0(),
        defaults.partitions(),
        new PolicySettings.Runs(
            defaults.runCountMax(),
            linkBytesMin,
            defaults.deadFractionMax(),
            defaults.pinnedFractionMax()),
        defaults.flushBytes(),
        defaults.parallelism());
  }
}
