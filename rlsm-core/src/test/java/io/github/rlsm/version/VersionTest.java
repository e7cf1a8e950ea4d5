// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import static io.github.rlsm.version.Fixtures.flush;
import static io.github.rlsm.version.Fixtures.key;
import static io.github.rlsm.version.Fixtures.partition;
import static io.github.rlsm.version.Fixtures.partitions;
import static io.github.rlsm.version.Fixtures.range;
import static io.github.rlsm.version.Fixtures.run;
import static io.github.rlsm.version.Fixtures.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.base.KeyBounds;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.SeqnoRange;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.TestSeed;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class VersionTest {

  private static final int RANDOM_EDITS = 600;

  @Test
  void newVersionIsEmpty() {
    Version version = Version.EMPTY;
    assertThat(version.tables()).isEmpty();
    assertThat(version.l0()).isEmpty();
    assertThat(version.partitions()).isEmpty();
    assertThat(version.partitionOf(key("a"), 0, 1)).isNegative();
    assertThat(version.keyspaces().names()).isEmpty();
    assertThat(version.flushedSeqno()).isZero();
    assertThat(version.firstGeneration()).isEqualTo(1);
    assertThat(version.nextFileNumber()).isEqualTo(1);
  }

  @Test
  void listsLevelZeroNewestFirst() {
    Version version = Version.EMPTY.apply(flush(3)).apply(flush(1, 2));
    assertThat(version.l0()).containsExactly(run(2), run(1), run(3));
    assertThat(version.tables()).containsExactly(table(1), table(2), table(3));
    assertThat(version.nextFileNumber()).isEqualTo(4);
  }

  @Test
  void applyLeavesTheOldVersionUnchanged() {
    Version before = Version.EMPTY.apply(flush(1));
    before.apply(VersionEdit.builder().removeL0(1).build());
    assertThat(before).isEqualTo(Version.EMPTY.apply(flush(1)));
  }

  @Test
  void keepsATableWhileARunNamesIt() {
    Partition whole = partition(range("a", "m"), 1);
    Version version = Version.EMPTY.apply(partitions(whole));
    Partition low = partition(range("a", "f"), 1);
    Partition high = partition(range("f", "m"), 1);
    version = version.apply(replace(List.of(whole), List.of(low, high)));
    assertThat(version.tables()).containsExactly(table(1));
    version = version.apply(replace(List.of(low), List.of()));
    assertThat(version.tables()).containsExactly(table(1));
    version = version.apply(replace(List.of(high), List.of()));
    assertThat(version.tables()).isEmpty();
  }

  @Test
  void movesATableFromLevelZeroToAPartitionByALink() {
    Version version = Version.EMPTY.apply(flush(1));
    Partition target = partition(KeyRange.ALL, 1);
    version = version.apply(VersionEdit.builder()
        .removeL0(1)
        .replacePartitions(List.of(), List.of(target))
        .build());
    assertThat(version.l0()).isEmpty();
    assertThat(version.tables()).containsExactly(table(1));
    assertThat(version.partitions().get(version.partitionOf(key("q"), 0, 1))).isEqualTo(target);
  }

  @Test
  void ordersPartitionsByRange() {
    Partition low = partition(range(null, "b"), 1);
    Partition middle = partition(range("b", "c"), 2);
    Partition high = partition(range("d", null), 3);
    Version version = Version.EMPTY.apply(partitions(high)).apply(partitions(middle, low));
    assertThat(version.partitions()).containsExactly(low, middle, high);
    assertThat(version.floorPartition(key("c"), 0, 1)).isEqualTo(1);
  }

  @Test
  void refusesRunsOfUnknownTables() {
    refuses(Version.EMPTY, VersionEdit.builder().addL0(run(7)), "do not exist: [7]");
    refuses(
        Version.EMPTY,
        VersionEdit.builder().replacePartitions(List.of(), List.of(partition(KeyRange.ALL, 7))),
        "do not exist: [7]");
  }

  @Test
  void refusesDuplicateAndUnusedTables() {
    Version version = Version.EMPTY.apply(flush(1));
    VersionEdit.Builder again = VersionEdit.builder().addTable(table(1));
    again.replacePartitions(List.of(), List.of(partition(KeyRange.ALL, 1)));
    refuses(version, again, "table 1 exists already");
    refuses(
        version,
        VersionEdit.builder().addTable(table(2)).addTable(table(2)).addL0(run(2)),
        "table 2 exists already");
    refuses(version, VersionEdit.builder().addTable(table(2)), "no run names it");
  }

  @Test
  void refusesDuplicateAndMissingLevelZeroRuns() {
    Version version = Version.EMPTY.apply(flush(1));
    refuses(version, VersionEdit.builder().addL0(run(1)), "in level 0 already");
    refuses(version, VersionEdit.builder().removeL0(2), "table 2 is not in level 0");
  }

  @Test
  void refusesPartitionsThatOverlap() {
    Version version = Version.EMPTY.apply(partitions(partition(range("a", "m"), 1)));
    VersionEdit.Builder edit =
        VersionEdit.builder().replacePartitions(List.of(), List.of(partition(range("f", "z"), 1)));
    refuses(version, edit, "partitions overlap");
  }

  @Test
  void refusesToReplaceAPartitionThatHasChanged() {
    Partition seen = partition(range("a", "m"), 1);
    Version version = Version.EMPTY.apply(partitions(seen));
    Partition appended = partition(range("a", "m"), 1, 2);
    version = version.apply(VersionEdit.builder()
        .addTable(table(2))
        .replacePartitions(List.of(seen), List.of(appended))
        .build());
    VersionEdit.Builder late =
        VersionEdit.builder().replacePartitions(List.of(seen), List.of(seen));
    refuses(version, late, "has changed");
    Partition absent = partition(range("b", "c"), 1);
    refuses(
        version,
        VersionEdit.builder().replacePartitions(List.of(absent), List.of()),
        "no partition over");
    refuses(
        version,
        VersionEdit.builder().replacePartitions(List.of(appended, appended), List.of()),
        "is removed twice");
  }

  @Test
  void givesKeyspaceIdsOnce() {
    Version version =
        Version.EMPTY.apply(VersionEdit.builder().createKeyspace(1, "a").build());
    assertThat(version.keyspaces().id("a")).hasValue(1);
    assertThat(version.keyspaces().isLive(1)).isTrue();
    refuses(version, VersionEdit.builder().createKeyspace(1, "b"), "id 1 cannot be used");
    refuses(version, VersionEdit.builder().createKeyspace(2, "a"), "\"a\" exists already");
    Version dropped = version.apply(VersionEdit.builder().dropKeyspace(1).build());
    assertThat(dropped.keyspaces().id("a")).isEmpty();
    assertThat(dropped.keyspaces().isLive(1)).isFalse();
    assertThat(dropped.keyspaces().isLive(KeyspaceCatalog.DEFAULT_ID)).isTrue();
    refuses(dropped, VersionEdit.builder().createKeyspace(1, "a"), "id 1 cannot be used");
    refuses(dropped, VersionEdit.builder().dropKeyspace(1), "no keyspace has id 1");
    Version recreated = dropped.apply(VersionEdit.of(Version.EMPTY));
    assertThat(recreated.keyspaces().nextId()).isEqualTo(2);
  }

  @Test
  void keepsSegmentAccounts() {
    Version version = Version.EMPTY.apply(
        VersionEdit.builder().addSegment(new SegmentAccount(4, 1000, 100, 0)).build());
    version = version.apply(VersionEdit.builder().addDeadBytes(4, 300).build());
    assertThat(version.segment(4)).isEqualTo(new SegmentAccount(4, 1000, 400, 0));
    assertThat(version.segment(4).liveBytes()).isEqualTo(600);
    refuses(version, VersionEdit.builder().addDeadBytes(4, 601), "cannot add 601 dead bytes");
    refuses(version, VersionEdit.builder().addDeadBytes(5, 1), "segment 5");
    refuses(
        version,
        VersionEdit.builder().addSegment(new SegmentAccount(4, 1, 0, 0)),
        "account already");
    refuses(version, VersionEdit.builder().removeSegment(5), "no account");
    Version removed = version.apply(VersionEdit.builder().removeSegment(4).build());
    assertThat(removed.segments()).isEmpty();
    assertThat(removed.nextSegmentNumber()).isEqualTo(5);
  }

  @Test
  void refusesToLowerTheFlushedSeqno() {
    Version version = Version.EMPTY.apply(VersionEdit.builder().flushed(100, 3).build());
    assertThat(version.flushedSeqno()).isEqualTo(100);
    assertThat(version.firstGeneration()).isEqualTo(3);
    refuses(version, VersionEdit.builder().flushed(99, 3), "cannot decrease");
    refuses(version, VersionEdit.builder().flushed(100, 2), "cannot decrease");
    Version durable = version.apply(VersionEdit.builder().durable(120).build());
    assertThat(durable.durableSeqno()).isEqualTo(120);
    assertThat(Version.EMPTY.apply(VersionEdit.of(durable))).isEqualTo(durable);
    refuses(durable, VersionEdit.builder().durable(119), "cannot decrease");
  }

  @Test
  void remembersWhichPartsAreInTables() {
    VersionEdit edit = VersionEdit.builder().parts(0x0102).build();
    assertThat(HexFormat.of().formatHex(edit.changes())).isEqualTo("11" + "0201000000000000");
    Version parts = Version.EMPTY.apply(edit);
    assertThat(parts.partsGsn()).isEqualTo(0x0102);
    assertThat(parts).isNotEqualTo(Version.EMPTY);
    assertThat(Version.EMPTY.apply(VersionEdit.of(parts))).isEqualTo(parts);
    refuses(parts, VersionEdit.builder().parts(0x0101), "cannot decrease");
  }

  private static final SeqnoRange NO_SEQNOS = new SeqnoRange(0, 0);

  private static KeyBounds keys(String smallest, String largest) {
    return new KeyBounds(key(smallest), key(largest));
  }

  @Test
  void refusesInvalidParts() {
    assertThatThrownBy(() -> new Run(1, range("b", "a"), 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Run(1, range("a", "b"), 0, 0, List.of(2, 2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("moved segments [2, 2]");
    assertThatThrownBy(() -> new Partition(range("a", "a"), List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Partition(range("a", "c"), List.of(run(1, range("b", "d")))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not inside a partition over");
    assertThatThrownBy(() -> new SegmentAccount(1, 10, 11, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new TableMeta(1, 1, 1, 2, keys("a", "b"), NO_SEQNOS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("tombstones");
    long largest = StoreFileName.NUMBER_MAX;
    assertThatThrownBy(() -> new TableMeta(largest, 1, 1, 0, keys("a", "b"), NO_SEQNOS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("number");
    VersionEdit numbers = VersionEdit.builder().nextFileNumber(largest + 1).build();
    assertThatThrownBy(() -> Version.EMPTY.apply(numbers))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("number");
    assertThatThrownBy(() -> new TableMeta(1, 1, 1, 0, keys("b", "a"), NO_SEQNOS))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void replayedSnapshotEqualsTheVersionAfterAnyEdits() {
    long seed = TestSeed.get();
    RandomEdits edits = new RandomEdits(seed);
    Version version = Version.EMPTY;
    for (int i = 0; i < RANDOM_EDITS; i++) {
      version = version.apply(edits.next(version, version.nextFileNumber()));
      assertThat(Version.EMPTY.apply(VersionEdit.of(version)))
          .as("edit %d, %s", i, TestSeed.howToReplay(seed))
          .isEqualTo(version);
      checkLinks(version);
    }
  }

  /** Checks that the version has exactly the tables that its runs name. */
  private static void checkLinks(Version version) {
    List<Long> named = Stream.concat(
            version.l0().stream(),
            version.partitions().stream().flatMap(partition -> partition.runs().stream()))
        .map(Run::table)
        .distinct()
        .sorted()
        .toList();
    assertThat(version.tables()).extracting(TableMeta::number).isEqualTo(named);
  }

  private static VersionEdit replace(List<Partition> before, List<Partition> after) {
    return VersionEdit.builder().replacePartitions(before, after).build();
  }

  private static void refuses(Version version, VersionEdit.Builder edit, String why) {
    assertThatThrownBy(() -> version.apply(edit.build()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(why);
  }
}
