// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.parts;

import io.github.rlsm.base.PartHeader;
import io.github.rlsm.base.PartTail;
import io.github.rlsm.kv.CorruptionException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Decides where each shard's history ends, so that every cross-shard batch is recovered in all its
 * shards or not at all. The result is the longest prefix of each history for which this holds.
 *
 * <p>If a shard lacks its part of a batch, the other parts of the batch end their shards'
 * histories. Everything after such a part is cut off with it, including other parts. In each shard,
 * the GSNs of the parts ascend. So only a batch with a smaller GSN can cut off a part, and one pass
 * over the batches in GSN order suffices.
 */
final class RecoveryCut {

  private final List<PartTail> tails;
  private final long[] ends;
  private final long[] lastGsns;

  private RecoveryCut(List<PartTail> tails) {
    this.tails = tails;
    this.ends = new long[tails.size()];
    this.lastGsns = tails.stream().mapToLong(PartTail::gsnInTables).toArray();
    Arrays.fill(ends, PartLog.Opening.WHOLE);
  }

  /**
   * Computes the cut.
   *
   * @param tails the parts that each shard has
   * @throws CorruptionException if shards contradict each other, or if a shard has lost a part that
   *     must have been durable
   */
  static RecoveryCut of(List<PartTail> tails) {
    RecoveryCut cut = new RecoveryCut(tails);
    cut.batches().forEach(cut::decide);
    return cut;
  }

  /**
   * Returns the seqno of the part before which a shard's history ends, or
   * {@link PartLog.Opening#WHOLE}.
   */
  long end(int shard) {
    return ends[shard];
  }

  /** Returns the GSN of the last batch of which a shard keeps its part; 0 if it has no part. */
  long lastGsn(int shard) {
    return lastGsns[shard];
  }

  /** Returns the largest GSN that any shard has seen. It must not be used again. */
  static long largestGsn(List<PartTail> tails) {
    long largest = 0;
    for (PartTail tail : tails) {
      List<PartTail.Part> parts = tail.parts();
      long last = parts.isEmpty() ? 0 : parts.get(parts.size() - 1).header().gsn();
      largest = Math.max(largest, Math.max(last, tail.gsnInTables()));
    }
    return largest;
  }

  /** Returns the batches with a part in a log, by GSN. */
  private Map<Long, Batch> batches() {
    Map<Long, Batch> batches = new TreeMap<>();
    for (int shard = 0; shard < tails.size(); shard++) {
      long before = tails.get(shard).gsnInTables();
      for (PartTail.Part part : tails.get(shard).parts()) {
        PartHeader header = part.header();
        Batch batch = batches.computeIfAbsent(header.gsn(), gsn -> new Batch(header));
        boolean fits = header.gsn() > before
            && header.equals(batch.header)
            && header.stores().contains(shard)
            && Collections.max(header.stores()) < tails.size();
        if (!fits) {
          throw corruption(
              shard,
              "its log has a part of batch " + header.gsn() + " over " + header.stores()
                  + " after batch " + before
                  + "; the first part header found of that batch names shards "
                  + batch.header.stores());
        }
        batch.parts.put(shard, part.seqno());
        before = header.gsn();
      }
    }
    return batches;
  }

  private void decide(long gsn, Batch batch) {
    List<Integer> missing = new ArrayList<>();
    List<Integer> inTables = new ArrayList<>();
    for (int shard : batch.header.stores()) {
      if (tails.get(shard).gsnInTables() >= gsn) {
        inTables.add(shard);
      } else if (!batch.parts.containsKey(shard) || ends[shard] != PartLog.Opening.WHOLE) {
        missing.add(shard);
      }
    }
    if (!missing.isEmpty() && !inTables.isEmpty()) {
      throw corruption(
          missing.get(0),
          "its part of batch " + gsn + " over " + batch.header.stores()
              + " is missing although it was durable, because shard " + inTables.get(0)
              + " has flushed its own part to tables");
    }
    batch.parts.forEach((shard, seqno) -> {
      if (missing.isEmpty()) {
        lastGsns[shard] = gsn;
      } else if (ends[shard] == PartLog.Opening.WHOLE) {
        ends[shard] = seqno;
      }
    });
  }

  private static CorruptionException corruption(int shard, String problem) {
    return new CorruptionException("shard " + shard, 0, problem);
  }

  /** A batch, and the seqnos of its parts in the shards' logs. */
  private static final class Batch {

    final PartHeader header;
    final Map<Integer, Long> parts = new TreeMap<>();

    Batch(PartHeader header) {
      this.header = header;
    }
  }
}
