// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.compact.PartitionGarbageEstimate.Newer;
import io.github.rlsm.compact.PartitionGarbageEstimate.Part;
import io.github.rlsm.compact.PartitionGarbageEstimate.Population;
import io.github.rlsm.table.Table;
import io.github.rlsm.table.TestEntry;
import io.github.rlsm.version.KeyspaceCatalog;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the estimate for runs that are slices of tables. */
class DeadEntriesOfSlicesTest {

  private static final Population FEW = new Population(1, 4, 1_600);

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

  private Part run(int from, int to) {
    return run(from, to, 0);
  }

  private Part run(int from, int to, long seqno) {
    return new Part(table(from, to, seqno), KeyRange.ALL, to - from);
  }

  @Test
  void countsEntriesShadowedByNewerRuns() {
    Part run = run(0, 400);
    assertThat(share(run)).isZero();
    assertThat(share(run, run(0, 400))).isEqualTo(1);
    assertThat(share(run, run(400, 500))).isZero();
    assertThat(share(run, run(0, 200))).isBetween(0.35, 0.65);
  }

  /** A move writes old entries to a run on top of newer ones. */
  @Test
  void runsOfOlderEntriesAreNotLookedUp() {
    Part run = run(0, 400, 1_000);
    assertThat(share(run, run(0, 400, 600))).isZero();
    assertThat(share(run, run(0, 400, 601))).isEqualTo(1);
  }

  private static Newer newer(Part... runs) {
    Newer newer = new Newer();
    for (Part run : runs) {
      newer.add(run);
    }
    return newer;
  }

  private static double share(Part run, Part... newer) {
    return new PartitionGarbageEstimate()
        .share(run, newer(newer), KeyspaceCatalog.EMPTY, FEW, true);
  }

  /** New runs arrive, and are merged into other runs with the same keys. */
  @Test
  void shadowedEntriesStayShadowedAfterMerges() {
    PartitionGarbageEstimate dead = new PartitionGarbageEstimate();
    Part run = run(0, 400);
    Part first = run(0, 100);
    Part second = run(50, 200);
    Part both = run(0, 200);
    double one = dead.share(run, newer(first), KeyspaceCatalog.EMPTY, FEW, true);
    double two = dead.share(run, newer(second, first), KeyspaceCatalog.EMPTY, FEW, true);
    assertThat(one).isEqualTo(share(run, first)).isBetween(0.15, 0.35);
    assertThat(two).isEqualTo(share(run, both)).isGreaterThan(one);
    assertThat(dead.share(run, newer(both), KeyspaceCatalog.EMPTY, FEW, true)).isEqualTo(two);
  }

  /** There are more runs than the memory for samples allows. Discarded samples are taken again. */
  @Test
  void discardedSamplesAreTakenAgain() {
    long room = 64 << 10;
    PartitionGarbageEstimate dead = new PartitionGarbageEstimate(room);
    Population many = new Population(1, 400, 160_000);
    Table table = table(0, 400);
    Part newest = run(100, 300);
    for (int round = 0; round < 2; round++) {
      for (int from = 0; from < 400; from++) {
        Part run = new Part(table, KeyRange.of(key(from), null), 400 - from);
        assertThat(dead.share(run, newer(newest), KeyspaceCatalog.EMPTY, many, true))
            .isEqualTo(new PartitionGarbageEstimate(room)
                .share(run, newer(newest), KeyspaceCatalog.EMPTY, many, true));
      }
    }
    assertThat(dead.keptBytes()).isBetween(room / 2, room);
  }

  @Test
  void samplesPerRunShrinkWithTheNumberOfRuns() {
    Part run = run(0, 400);
    assertThat(taken(run, new Population(1, 1, 400))).isEqualTo(400);
    assertThat(taken(run, new Population(100, 100, 40_000))).isBetween(40L, 60L);
    assertThat(taken(run, new Population(100, 20_000, 40_000))).isBetween(5L, 20L);
  }

  @Test
  void smallRunsHaveSmallSamples() {
    Part run = run(0, 400);
    assertThat(taken(run, new Population(10, 10, 10 * 800))).isBetween(95L, 110L);
    assertThat(taken(run, new Population(10, 10, 10 * 4_000))).isBetween(36L, 46L);
    assertThat(taken(run, new Population(10, 10, 10 * 400_000))).isBetween(5L, 10L);
  }

  private static long taken(Part run, Population all) {
    PartitionGarbageEstimate dead = new PartitionGarbageEstimate();
    dead.share(run, newer(run), KeyspaceCatalog.EMPTY, all, true);
    return dead.taken();
  }

  @Test
  void samplesOfRemovedRunsAreDiscarded() {
    PartitionGarbageEstimate dead = new PartitionGarbageEstimate(8 << 10);
    Part kept = run(0, 400);
    Part gone = run(0, 400);
    Part newest = run(0, 200);
    Population few = new Population(100, 2, 40_000);
    double share = dead.share(kept, newer(newest), KeyspaceCatalog.EMPTY, few, true);
    long one = dead.keptBytes();
    assertThat(dead.share(gone, newer(newest), KeyspaceCatalog.EMPTY, few, true))
        .isEqualTo(share);
    assertThat(dead.keptBytes()).isEqualTo(2 * one);

    dead.forgetAllBut(Stream.of(kept, newest));
    assertThat(dead.keptBytes()).isEqualTo(one);
    assertThat(dead.share(gone, newer(newest), KeyspaceCatalog.EMPTY, few, false))
        .isZero();
    assertThat(dead.share(kept, newer(newest), KeyspaceCatalog.EMPTY, few, false))
        .isEqualTo(share);
  }

  /**
   * Two slices of one table in one partition, as a split and a merge leave them. Neither shadows
   * the other, although the table's filter contains the keys of both.
   */
  @Test
  void aNewerRunShadowsOnlyInItsRange() {
    Table table = table(0, 400);
    Part lower = new Part(table, KeyRange.of(null, key(200)), 200);
    Part upper = new Part(table, KeyRange.of(key(200), null), 200);
    PartitionGarbageEstimate dead = new PartitionGarbageEstimate();
    assertThat(dead.share(lower, newer(upper), KeyspaceCatalog.EMPTY, FEW, true))
        .isZero();
    assertThat(dead.share(upper, newer(lower), KeyspaceCatalog.EMPTY, FEW, true))
        .isZero();
    assertThat(dead.share(lower, newer(upper, lower), KeyspaceCatalog.EMPTY, FEW, true))
        .isEqualTo(1);
  }
}
