// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.Stats;
import io.github.rlsm.version.Partition;
import io.github.rlsm.version.Version;
import io.github.rlsm.versionset.ManifestRecovery;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that the pages read by a get do not grow with the number of runs. A present key costs one
 * page, an absent key hardly any, after any sequence of flushes, links, copies, splits and cleans.
 * All other pages are false positives of the filters, within their designed rate.
 */
@Tag("optimized")
class RlsmLookupCostTest {

  private static final int STORES = 12;
  private static final int KEYS = 3_000;
  private static final int WRITES = 9_000;
  private static final int ABSENT = 6_000;

  /**
   * The size of filters with the false-positive rate below (decision 11), with a margin for small
   * tables.
   */
  private static final int FILTER_BITS = 10;

  private static final double FALSE_POSITIVE_RATE = 0.013;

  /** Tolerated deviation from the expected number, in standard deviations. */
  private static final double TOLERANCE = 5;

  private int runsMax;
  private long tombstonesRead;

  @Test
  void presentKeysTakeOnePageAndAbsentKeysNone() {
    for (int seed = 0; seed < STORES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      checkStore(FILTER_BITS, random, "seed " + seed);
    }
    assertThat(runsMax).as("runs over one key").isGreaterThanOrEqualTo(10);
    assertThat(tombstonesRead).isPositive();
  }

  /** Shows that the test above can fail: without filters a get reads a page of almost every run. */
  @Test
  void withoutFiltersEveryRunTakesAPage() {
    try (Fixture fixture = new Fixture(0, new SplittableRandom(1))) {
      Stats.Reads reads = fixture.getAbsent();
      assertThat(reads.getPages()).isGreaterThan(3L * ABSENT);
      assertThat(reads.filters().falsePositiveRate()).isEqualTo(1);
    }
  }

  private void checkStore(int filterBits, SplittableRandom random, String seed) {
    try (Fixture fixture = new Fixture(filterBits, random)) {
      int runs = fixture.runsOverOneKey();
      runsMax = Math.max(runsMax, runs);

      Stats.Reads absent = fixture.getAbsent();
      assertThat(absent.getPages()).as(seed).isEqualTo(absent.filters().falsePositives());
      assertThat(absent.filters().negatives() + absent.filters().falsePositives())
          .as(seed)
          .isLessThanOrEqualTo((long) ABSENT * runs);
      assertFew(absent, seed);

      int alive = fixture.count(true);
      Stats.Reads present = fixture.getWritten(true);
      assertThat(present.getPages())
          .as(seed)
          .isEqualTo(alive - present.memoryHits() + present.filters().falsePositives());
      assertThat(present.filters().negatives() + present.filters().falsePositives())
          .as(seed)
          .isLessThanOrEqualTo((long) alive * (runs - 1));
      assertFew(present, seed);

      // A deleted key may have a tombstone, or no entry any more.
      int deleted = fixture.count(false);
      Stats.Reads dead = fixture.getWritten(false);
      long tombstones = dead.getPages() - dead.filters().falsePositives();
      assertThat(tombstones).as(seed).isBetween(0L, (long) deleted);
      assertFew(dead, seed);
      tombstonesRead += tombstones;
    }
  }

  /** Asserts that false positives are as rare as the filter size promises. */
  private static void assertFew(Stats.Reads reads, String seed) {
    double asked = (double) reads.filters().negatives() + reads.filters().falsePositives();
    double expected = asked * FALSE_POSITIVE_RATE;
    assertThat((double) reads.filters().falsePositives())
        .as("false positives of %s filter lookups, %s", asked, seed)
        .isLessThanOrEqualTo(expected + TOLERANCE * Math.sqrt(expected) + 1);
  }

  /** A store with many runs, and the set of its written keys. */
  private static final class Fixture implements AutoCloseable {

    private final SimulatedDirectory directory = new SimulatedDirectory();
    private final RlsmStore store;
    private final boolean[] written = new boolean[KEYS];
    private final boolean[] alive = new boolean[KEYS];

    Fixture(int filterBits, SplittableRandom random) {
      RlsmOptions options = RlsmOptions.builder()
          .memoryBudget(1 << 20)
          .logSegmentBytes(64 << 10)
          .memtableEntries(200 + random.nextInt(300))
          .pageBytes(512)
          .filterBitsPerKey(filterBits)
          .partitionBytes((16 << 10) + random.nextInt(200 << 10))
          .runsPerPartition(4 + random.nextInt(20))
          .l0Trigger(random.nextInt(6))
          .linkBytes(random.nextInt(3) * 1_500L)
          .deadFraction(0.9)
          .maxSpaceAmplification(100)
          .backgroundThreads(1)
          .build();
      store = RlsmStore.open(directory, options, InlineScheduler.environment(random.nextLong()));
      // Overwrites hit only a part of the keys, so that cleaning does not merge all runs.
      for (int i = 0; i < WRITES; i++) {
        write(random.nextInt(i % 3 == 0 ? KEYS / 10 : KEYS), random);
      }
      store.flush();
    }

    private void write(int number, SplittableRandom random) {
      written[number] = true;
      alive[number] = random.nextInt(10) > 0;
      if (alive[number]) {
        store.put(key(number), new byte[random.nextInt(100)], Durability.OS);
      } else {
        store.delete(key(number), Durability.OS);
      }
    }

    /** Returns a key. Keys, also unwritten ones, are spread evenly over their range. */
    private static byte[] key(int number) {
      return ByteBuffer.allocate(8).putInt(number * 0x9E37_79B1).putInt(number).array();
    }

    /** Counts the written keys that are present, or absent. */
    int count(boolean present) {
      int count = 0;
      for (int i = 0; i < KEYS; i++) {
        count += written[i] && alive[i] == present ? 1 : 0;
      }
      return count;
    }

    /** The largest number of tables that a get of one key may have to search. */
    int runsOverOneKey() {
      Version version = ManifestRecovery.recover(directory.afterKill()).version();
      return version.l0().size()
          + version.partitions().stream()
              .map(Partition::runs)
              .mapToInt(runs -> runs.size())
              .max()
              .orElse(0);
    }

    Stats.Reads getAbsent() {
      Stats.Reads before = store.stats().reads();
      for (int i = 0; i < ABSENT; i++) {
        assertThat(store.get(key(KEYS + i))).isNull();
      }
      return since(before);
    }

    Stats.Reads getWritten(boolean present) {
      Stats.Reads before = store.stats().reads();
      for (int i = 0; i < KEYS; i++) {
        if (written[i] && alive[i] == present) {
          assertThat(store.get(key(i)) != null).isEqualTo(present);
        }
      }
      return since(before);
    }

    private Stats.Reads since(Stats.Reads before) {
      Stats.Reads now = store.stats().reads();
      return new Stats.Reads(
          now.gets() - before.gets(),
          now.memoryHits() - before.memoryHits(),
          new Stats.Cache(
              now.cache().hits() - before.cache().hits(),
              now.cache().misses() - before.cache().misses()),
          new Stats.Filters(
              now.filters().negatives() - before.filters().negatives(),
              now.filters().falsePositives() - before.filters().falsePositives()),
          now.getPages() - before.getPages(),
          now.pagesRead() - before.pagesRead());
    }

    @Override
    public void close() {
      store.close();
    }
  }
}
