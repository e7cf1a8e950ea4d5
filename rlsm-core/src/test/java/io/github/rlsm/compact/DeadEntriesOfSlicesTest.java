// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.compact.PartitionGarbageEstimate.Part;
import io.github.rlsm.compact.PartitionGarbageEstimate.Population;
import io.github.rlsm.table.Table;
import io.github.rlsm.table.TestEntry;
import io.github.rlsm.version.KeyspaceCatalog;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the estimate for runs that are slices of tables. */
class DeadEntriesOfSlicesTest {

  private static final Population FEW = new Population(1, 4);

  private final WrittenTables tables = new WrittenTables();

  @AfterEach
  void close() {
    tables.close();
  }

  private static byte[] key(int number) {
    return new byte[] {0, (byte) (number >>> 8), (byte) number};
  }

  /** Returns a table of the keys {@code [from, to)}, with values long enough for many pages. */
  private Table table(int from, int to) {
    return table(from, to, 0);
  }

  /** Returns a table of keys, whose seqnos begin at {@code seqno + from}. */
  private Table table(int from, int to, long seqno) {
    byte[] value = new byte[1_000];
    return tables
        .write(output -> {
          for (int i = from; i < to; i++) {
            output.add(TestEntry.put(seqno + i, value).at(key(i)));
          }
        })
        .table();
  }

  @Test
  void countsEntriesShadowedByNewerRuns() {
    Part run = new Part(table(0, 400), KeyRange.ALL);
    assertThat(share(run)).isZero();
    assertThat(share(run, new Part(table(0, 400), KeyRange.ALL))).isEqualTo(1);
    assertThat(share(run, new Part(table(400, 500), KeyRange.ALL))).isZero();
    assertThat(share(run, new Part(table(0, 200), KeyRange.ALL))).isBetween(0.35, 0.65);
  }

  /** A move writes old entries to a run on top of newer ones. */
  @Test
  void runsOfOlderEntriesAreNotLookedUp() {
    Part run = new Part(table(0, 400, 1_000), KeyRange.ALL);
    assertThat(share(run, new Part(table(0, 400, 600), KeyRange.ALL))).isZero();
    assertThat(share(run, new Part(table(0, 400, 601), KeyRange.ALL))).isEqualTo(1);
  }

  private static double share(Part run, Part... newer) {
    return new PartitionGarbageEstimate()
        .share(run, List.of(newer), KeyspaceCatalog.EMPTY, FEW, true);
  }

  /** New runs arrive, and are merged into other runs with the same keys. */
  @Test
  void shadowedEntriesStayShadowedAfterMerges() {
    PartitionGarbageEstimate dead = new PartitionGarbageEstimate();
    Part run = new Part(table(0, 400), KeyRange.ALL);
    Part first = new Part(table(0, 100), KeyRange.ALL);
    Part second = new Part(table(50, 200), KeyRange.ALL);
    Part both = new Part(table(0, 200), KeyRange.ALL);
    double one = dead.share(run, List.of(first), KeyspaceCatalog.EMPTY, FEW, true);
    double two = dead.share(run, List.of(second, first), KeyspaceCatalog.EMPTY, FEW, true);
    assertThat(one).isEqualTo(share(run, first)).isBetween(0.15, 0.35);
    assertThat(two).isEqualTo(share(run, both)).isGreaterThan(one);
    assertThat(dead.share(run, List.of(both), KeyspaceCatalog.EMPTY, FEW, true)).isEqualTo(two);
  }

  /** There are more runs than the memory for samples allows. Discarded samples are taken again. */
  @Test
  void discardedSamplesAreTakenAgain() {
    long room = 64 << 10;
    PartitionGarbageEstimate dead = new PartitionGarbageEstimate(room);
    Population many = new Population(1, 400);
    Table table = table(0, 400);
    List<Part> newer = List.of(new Part(table(100, 300), KeyRange.ALL));
    for (int round = 0; round < 2; round++) {
      for (int from = 0; from < 400; from++) {
        Part run = new Part(table, KeyRange.of(key(from), null));
        assertThat(dead.share(run, newer, KeyspaceCatalog.EMPTY, many, true))
            .isEqualTo(new PartitionGarbageEstimate(room)
                .share(run, newer, KeyspaceCatalog.EMPTY, many, true));
      }
    }
    assertThat(dead.keptBytes()).isBetween(room / 2, room);
  }

  @Test
  void samplesPerRunShrinkWithTheNumberOfRuns() {
    Part run = new Part(table(0, 400), KeyRange.ALL);
    assertThat(taken(run, new Population(1, 1))).isEqualTo(400);
    assertThat(taken(run, new Population(100, 100))).isBetween(40L, 60L);
    assertThat(taken(run, new Population(100, 20_000))).isBetween(5L, 20L);
  }

  private static long taken(Part run, Population all) {
    PartitionGarbageEstimate dead = new PartitionGarbageEstimate();
    dead.share(run, List.of(run), KeyspaceCatalog.EMPTY, all, true);
    return dead.taken();
  }

  @Test
  void samplesOfRemovedRunsAreDiscarded() {
    PartitionGarbageEstimate dead = new PartitionGarbageEstimate(8 << 10);
    Part kept = new Part(table(0, 400), KeyRange.ALL);
    Part gone = new Part(table(0, 400), KeyRange.ALL);
    List<Part> newer = List.of(new Part(table(0, 200), KeyRange.ALL));
    Population few = new Population(100, 2);
    double share = dead.share(kept, newer, KeyspaceCatalog.EMPTY, few, true);
    long one = dead.keptBytes();
    assertThat(dead.share(gone, newer, KeyspaceCatalog.EMPTY, few, true)).isEqualTo(share);
    assertThat(dead.keptBytes()).isEqualTo(2 * one);

    dead.forgetAllBut(Stream.of(kept, newer.get(0)));
    assertThat(dead.keptBytes()).isEqualTo(one);
    assertThat(dead.share(gone, newer, KeyspaceCatalog.EMPTY, few, false)).isZero();
    assertThat(dead.share(kept, newer, KeyspaceCatalog.EMPTY, few, false)).isEqualTo(share);
  }

  /**
   * Two slices of one table in one partition, as a split and a merge leave them. Neither shadows
   * the other, although the table's filter contains the keys of both.
   */
  @Test
  void aNewerRunShadowsOnlyInItsRange() {
    Table table = table(0, 400);
    Part lower = new Part(table, KeyRange.of(null, key(200)));
    Part upper = new Part(table, KeyRange.of(key(200), null));
    PartitionGarbageEstimate dead = new PartitionGarbageEstimate();
    assertThat(dead.share(lower, List.of(upper), KeyspaceCatalog.EMPTY, FEW, true))
        .isZero();
    assertThat(dead.share(upper, List.of(lower), KeyspaceCatalog.EMPTY, FEW, true))
        .isZero();
    assertThat(dead.share(lower, List.of(upper, lower), KeyspaceCatalog.EMPTY, FEW, true))
        .isEqualTo(1);
  }
}
