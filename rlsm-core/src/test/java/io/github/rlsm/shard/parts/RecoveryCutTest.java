// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.base.PartHeader;
import io.github.rlsm.base.PartTail;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.TestSeed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests where histories are cut, by hand and against the definition. */
class RecoveryCutTest {

  private static final long WHOLE = PartLog.Opening.WHOLE;

  private static PartTail.Part part(long gsn, Integer... shards) {
    return new PartTail.Part(new PartHeader(gsn, List.of(shards)), 100 * gsn);
  }

  private static PartTail tail(long inTables, PartTail.Part... parts) {
    return new PartTail(inTables, List.of(parts));
  }

  private static List<Long> ends(PartTail... tails) {
    RecoveryCut cut = RecoveryCut.of(List.of(tails));
    List<Long> ends = new ArrayList<>();
    for (int shard = 0; shard < tails.length; shard++) {
      ends.add(cut.end(shard));
    }
    return ends;
  }

  @Test
  void completeBatchesAreKept() {
    assertThat(ends(tail(0, part(1, 0, 1)), tail(0, part(1, 0, 1)))).containsExactly(WHOLE, WHOLE);
  }

  @Test
  void partWithoutItsPartnerEndsTheHistory() {
    assertThat(ends(tail(0, part(1, 0, 1), part(2, 0, 1)), tail(0, part(1, 0, 1))))
        .containsExactly(200L, WHOLE);
  }

  @Test
  void cutsCascadeToDependentBatches() {
    assertThat(ends(
            tail(0, part(1, 0, 1)),
            tail(0, part(2, 1, 2)),
            tail(0, part(2, 1, 2), part(3, 2, 3)),
            tail(0, part(3, 2, 3))))
        .as("batches 2 and 3 do not depend on 1")
        .containsExactly(100L, WHOLE, WHOLE, WHOLE);
    assertThat(ends(
            tail(0),
            tail(0, part(1, 0, 1), part(2, 1, 2)),
            tail(0, part(2, 1, 2), part(3, 2, 3)),
            tail(0, part(3, 2, 3))))
        .containsExactly(WHOLE, 100L, 200L, 300L);
  }

  @Test
  void partInTablesCountsAsPresent() {
    assertThat(ends(tail(7), tail(3, part(5, 0, 1), part(8, 0, 1)))).containsExactly(WHOLE, 800L);
  }

  @Test
  void lossOfADurablePartIsReported() {
    List<PartTail> tails = List.of(tail(5), tail(0), tail(0, part(5, 0, 1, 2)));
    assertThatThrownBy(() -> RecoveryCut.of(tails))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining("shard 1")
        .hasMessageContaining("batch 5 over [0, 1, 2] is missing");
  }

  @Test
  void shardsThatContradictEachOtherAreRefused() {
    for (List<PartTail> tails : List.of(
        List.of(tail(0, part(1, 0, 1)), tail(0, part(1, 0, 1, 2)), tail(0)),
        List.of(tail(0, part(1, 1, 2)), tail(0), tail(0)),
        List.of(tail(0, part(1, 0, 3)), tail(0), tail(0)),
        List.of(tail(1, part(1, 0, 1)), tail(0, part(1, 0, 1))),
        List.of(tail(0, part(2, 0, 1), part(1, 0, 1)), tail(0)))) {
      assertThatThrownBy(() -> RecoveryCut.of(tails))
          .as("%s", tails)
          .isInstanceOf(CorruptionException.class)
          .hasMessageContaining("a part of batch");
    }
  }

  @Test
  void largestGsnCoversAllParts() {
    assertThat(RecoveryCut.largestGsn(List.of(tail(4), tail(0, part(3, 0, 1), part(9, 1, 2)))))
        .isEqualTo(9);
    assertThat(RecoveryCut.largestGsn(List.of(tail(4), tail(0)))).isEqualTo(4);
  }

  /**
   * The cut leaves the longest prefixes for which every batch is complete, found by brute force.
   */
  @Test
  void cutKeepsTheLongestPrefixes() {
    SplittableRandom random = new SplittableRandom(TestSeed.get());
    for (int round = 0; round < 3_000; round++) {
      List<PartTail> tails = random(random);
      RecoveryCut cut = RecoveryCut.of(tails);
      int[] best = longest(tails, new int[tails.size()], 0, new int[] {-1});
      for (int shard = 0; shard < tails.size(); shard++) {
        PartTail tail = tails.get(shard);
        int kept = best[1 + shard];
        assertThat(cut.end(shard))
            .as("shard %s of %s, %s", shard, tails, TestSeed.howToReplay(TestSeed.get()))
            .isEqualTo(
                kept == tail.parts().size() ? WHOLE : tail.parts().get(kept).seqno());
        assertThat(cut.lastGsn(shard)).isEqualTo(lastGsn(tail, kept));
      }
    }
  }

  /** Returns a random prefix of each shard's history of batches; some batches are in tables. */
  private static List<PartTail> random(SplittableRandom random) {
    int shards = 2 + random.nextInt(3);
    List<List<PartTail.Part>> all = new ArrayList<>();
    for (int i = 0; i < shards; i++) {
      all.add(new ArrayList<>());
    }
    int batches = random.nextInt(7);
    for (int gsn = 1; gsn <= batches; gsn++) {
      TreeSet<Integer> members = new TreeSet<>();
      while (members.size() < 2) {
        members.add(random.nextInt(shards));
        members.add(random.nextInt(shards));
      }
      PartTail.Part part = part(gsn, members.toArray(new Integer[0]));
      members.forEach(shard -> all.get(shard).add(part));
    }
    // Batches up to this one were forced everywhere, so their parts may be in tables.
    int durable = random.nextInt(batches + 1);
    List<PartTail> tails = new ArrayList<>();
    for (List<PartTail.Part> parts : all) {
      int safe =
          (int) parts.stream().filter(part -> part.header().gsn() <= durable).count();
      int left = safe + random.nextInt(parts.size() - safe + 1);
      int inTables = random.nextInt(safe + 1);
      long gsn = inTables == 0 ? 0 : parts.get(inTables - 1).header().gsn();
      tails.add(new PartTail(gsn, parts.subList(inTables, left)));
    }
    return tails;
  }

  private static long lastGsn(PartTail tail, int kept) {
    return kept == 0 ? tail.gsnInTables() : tail.parts().get(kept - 1).header().gsn();
  }

  /**
   * Tries all cuts. {@code best} holds the total number of kept parts, then the number for each
   * shard.
   */
  private static int[] longest(List<PartTail> tails, int[] kept, int shard, int[] best) {
    if (shard == tails.size()) {
      int sum = Arrays.stream(kept).sum();
      return sum > best[0] && isWhole(tails, kept)
          ? IntStream.concat(IntStream.of(sum), Arrays.stream(kept)).toArray()
          : best;
    }
    int[] found = best;
    for (int i = tails.get(shard).parts().size(); i >= 0; i--) {
      kept[shard] = i;
      found = longest(tails, kept, shard + 1, found);
    }
    return found;
  }

  private static boolean isWhole(List<PartTail> tails, int[] kept) {
    for (int shard = 0; shard < kept.length; shard++) {
      for (PartTail.Part part : tails.get(shard).parts().subList(0, kept[shard])) {
        for (int other : part.header().stores()) {
          if (lastGsn(tails.get(other), kept[other]) < part.header().gsn()) {
            return false;
          }
        }
      }
    }
    return true;
  }
}
