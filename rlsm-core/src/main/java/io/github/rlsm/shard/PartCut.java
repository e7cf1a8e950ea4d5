// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.base.PartMark;
import io.github.rlsm.base.PartTail;
import io.github.rlsm.kv.CorruptionException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where the histories of shards end, so that each batch over several of them is there whole or not
 * at all: the longest beginnings of what each has, for which that is so.
 *
 * <p>A part ends its shard's history if another shard has not got its own; and what lies behind it
 * goes with it, other parts among it. In each shard the numbers of its parts ascend: so what ends
 * the history before a part has a smaller number than it, and the batches need to be looked at but
 * once, in the order of their numbers.
 */
final class PartCut {

  private final List<PartTail> tails;
  private final long[] ends;
  private final long[] lastGsns;

  private PartCut(List<PartTail> tails) {
    this.tails = tails;
    this.ends = new long[tails.size()];
    this.lastGsns = tails.stream().mapToLong(PartTail::gsnInTables).toArray();
    Arrays.fill(ends, PartLogOpening.WHOLE);
  }

  /**
   * Decides.
   *
   * @param tails what each shard has
   * @throws CorruptionException if shards contradict each other, or one has lost what must have
   *     been durable
   */
  static PartCut of(List<PartTail> tails) {
    PartCut cut = new PartCut(tails);
    cut.batches().forEach(cut::decide);
    return cut;
  }

  /** Where a shard's history ends: seqno of a part, or {@link PartLogOpening#WHOLE}. */
  long end(int shard) {
    return ends[shard];
  }

  /** The number of the last batch that a shard has its part of, 0 for none. */
  long lastGsn(int shard) {
    return lastGsns[shard];
  }

  /** The largest number that any shard has heard of: it must not be given again. */
  static long largestGsn(List<PartTail> tails) {
    long largest = 0;
    for (PartTail tail : tails) {
      List<PartTail.Part> parts = tail.parts();
      long last = parts.isEmpty() ? 0 : parts.get(parts.size() - 1).mark().gsn();
      largest = Math.max(largest, Math.max(last, tail.gsnInTables()));
    }
    return largest;
  }

  /** For each batch of which a part is in a log, by number: where that begins in which shard. */
  private Map<Long, Batch> batches() {
    Map<Long, Batch> batches = new TreeMap<>();
    for (int shard = 0; shard < tails.size(); shard++) {
      long before = tails.get(shard).gsnInTables();
      for (PartTail.Part part : tails.get(shard).parts()) {
        PartMark mark = part.mark();
        Batch batch = batches.computeIfAbsent(mark.gsn(), gsn -> new Batch(mark));
        boolean fits = mark.gsn() > before
            && mark.equals(batch.mark)
            && mark.stores().contains(shard)
            && Collections.max(mark.stores()) < tails.size();
        if (!fits) {
          throw corruption(
              shard,
              "a part of batch " + mark.gsn() + " over " + mark.stores() + ", after one of "
                  + before + "; elsewhere it is one over " + batch.mark.stores());
        }
        batch.parts.put(shard, part.seqno());
        before = mark.gsn();
      }
    }
    return batches;
  }

  private void decide(long gsn, Batch batch) {
    List<Integer> missing = new ArrayList<>();
    List<Integer> inTables = new ArrayList<>();
    for (int shard : batch.mark.stores()) {
      if (tails.get(shard).gsnInTables() >= gsn) {
        inTables.add(shard);
      } else if (!batch.parts.containsKey(shard) || ends[shard] != PartLogOpening.WHOLE) {
        missing.add(shard);
      }
    }
    if (!missing.isEmpty() && !inTables.isEmpty()) {
      throw corruption(
          missing.get(0),
          "its part of batch " + gsn + " over " + batch.mark.stores()
              + " is missing, and was durable: shard " + inTables.get(0)
              + " has its own in tables");
    }
    batch.parts.forEach((shard, seqno) -> {
      if (missing.isEmpty()) {
        lastGsns[shard] = gsn;
      } else if (ends[shard] == PartLogOpening.WHOLE) {
        ends[shard] = seqno;
      }
    });
  }

  private static CorruptionException corruption(int shard, String problem) {
    return new CorruptionException("shard " + shard, 0, problem);
  }

  /** A batch, and for each shard whose log has its part where that begins. */
  private static final class Batch {

    final PartMark mark;
    final Map<Integer, Long> parts = new TreeMap<>();

    Batch(PartMark mark) {
      this.mark = mark;
    }
  }
}
