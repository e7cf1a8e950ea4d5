// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.policy.AppendPlanner;
import io.github.rlsm.policy.PartitionShape;
import io.github.rlsm.policy.Plan;
import io.github.rlsm.policy.PolicySettings;
import io.github.rlsm.table.Table;
import io.github.rlsm.version.Version;
import io.github.rlsm.version.VersionEdit;
import io.github.rlsm.versionset.PinnedVersion;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompactionJobTest {

  /** Keys of keyspace 1, which is dropped: a clean drops them all. */
  private static final int NOWHERE = 1 << 24;

  private static PolicySettings linkingAll() {
    PolicySettings defaults = PolicySettings.DEFAULT;
    return new PolicySettings(
        defaults.l0(),
        defaults.partitions(),
        new PolicySettings.Runs(
            defaults.runCountMax(), 0, defaults.deadFractionMax(), defaults.pinnedFractionMax()),
        defaults.flushBytes(),
        defaults.parallelism());
  }

  /**
   * A merge of tables that were not read for long must not evict other pages from memory. In memory
   * that nothing uses, it evicts none.
   */
  @ParameterizedTest
  @CsvSource({"true, 0", "false, 0", "false, 1000000"})
  void cleanEvictsPagesThatWereNotInMemory(boolean inMemory, long freeBytes) {
    try (ManyPartitions level = new ManyPartitions(10)) {
      level.add(0, 2, 0, 1);
      level.directory.pageCache().holdsAll(inMemory);
      level.directory.pageCache().freeBytes(freeBytes);
      PinnedVersion<Table> files = level.pin();
      PartitionShape partition =
          new Levels(files, new PartitionShapes()).shape().l1().get(0);
      Plan.Clean clean = new Plan.Clean(partition, 0, 2, true, Plan.Clean.Reason.RUNS);
      Version after =
          level.versions.install(new CompactionJob(files, level.tables, level.places).run(clean));
      files.unpin();
      assertThat(after.partitions()).singleElement().satisfies(made -> {
        assertThat(ManyPartitions.entries(made)).isEqualTo(2 * ManyPartitions.ENTRIES);
        String table = StoreFileName.table(made.runs().get(0).table());
        assertThat(level.directory.pageCache().forgotten())
            .containsExactlyElementsOf(inMemory || freeBytes > 0 ? List.of() : List.of(table));
      });
    }
  }

  /** A compaction appends to a partition while a concurrent clean leaves nothing of it. */
  @Test
  void aPartitionMayVanishWhileSomethingIsAppendedToIt() {
    try (ManyPartitions level = new ManyPartitions(10)) {
      level.versions.install(VersionEdit.builder().createKeyspace(1, "dropped").build());
      level.versions.install(VersionEdit.builder().dropKeyspace(1).build());
      level.add(NOWHERE, 1, 0);
      level.addL0(NOWHERE, 1, 100);
      PinnedVersion<Table> files = level.pin();
      Levels levels = new Levels(files, new PartitionShapes());
      PartitionShape partition = levels.shape().l1().get(0);
      Plan.Compaction append = new AppendPlanner(levels, linkingAll())
          .plan(levels.shape(), levels.shape().l0());
      assertThat(append.targets()).hasSize(1);
      assertThat(append.targets().get(0).partition()).isEqualTo(partition);
      Plan.Clean clean = new Plan.Clean(partition, 0, 1, true, Plan.Clean.Reason.GARBAGE);
      Function<Version, VersionEdit> appended =
          new CompactionJob(files, level.tables, level.places).run(append);
      Function<Version, VersionEdit> cleaned =
          new CompactionJob(files, level.tables, level.places).run(clean);
      files.unpin();
      assertThat(level.versions.install(cleaned).partitions()).isEmpty();
      Version after = level.versions.install(appended);
      assertThat(after.l0()).isEmpty();
      assertThat(after.partitions()).singleElement().satisfies(made -> {
        assertThat(made.range()).isEqualTo(partition.range());
        assertThat(made.runs()).hasSize(1);
        assertThat(ManyPartitions.entries(made)).isEqualTo(ManyPartitions.ENTRIES);
      });
    }
  }
}
