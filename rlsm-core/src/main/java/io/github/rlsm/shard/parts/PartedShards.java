// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.parts;

import io.github.rlsm.base.PartTail;
import io.github.rlsm.kv.KvStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Shards whose logs keep parts, opened together. First each shard reports its parts.
 * {@link RecoveryCut} then decides where each history ends, and only then the shards are opened.
 *
 * @param stores the shards' stores
 * @param logs the shards' logs
 * @param crossShard keeps each shard from promising durability too early
 * @param lastGsn the largest GSN seen; new batches get larger GSNs
 */
public record PartedShards(
    List<KvStore> stores, List<PartLog> logs, CrossShardDurability crossShard, long lastGsn) {

  /** Copies the lists. */
  public PartedShards {
    stores = List.copyOf(stores);
    logs = List.copyOf(logs);
  }

  /** Returns actions that force the log of each shard. */
  public List<Runnable> forces() {
    return logs.stream().<Runnable>map(log -> log::force).toList();
  }

  /**
   * Opens all shards.
   *
   * @param prepare begins to open a shard
   * @param opened receives each resource that must be closed if a later step fails
   */
  public static PartedShards open(
      int shards, IntFunction<PartLogOpening> prepare, Consumer<AutoCloseable> opened) {
    List<PartLogOpening> openings = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      PartLogOpening opening = prepare.apply(shard);
      opened.accept(opening);
      openings.add(opening);
    }
    List<PartTail> tails = openings.stream().map(PartLogOpening::survey).toList();
    RecoveryCut cut = RecoveryCut.of(tails);
    CrossShardDurability crossShard = new CrossShardDurability(shards);
    List<KvStore> stores = new ArrayList<>();
    List<PartLog> logs = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      int number = shard;
      crossShard.begin(shard, cut.lastGsn(shard));
      PartLogOpening.Opened one =
          openings.get(shard).open(cut.end(shard), gsn -> crossShard.force(number, gsn));
      opened.accept(one.store());
      stores.add(one.store());
      logs.add(one.parts());
    }
    crossShard.begin(logs);
    return new PartedShards(stores, logs, crossShard, RecoveryCut.largestGsn(tails));
  }
}
