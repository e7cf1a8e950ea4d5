// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.base.PartTail;
import io.github.rlsm.kv.KvStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Shards whose logs keep parts, opened together. First each shard reports its parts.
 * {@link RecoveryCut} then decides where each history ends, and only then the shards are opened.
 *
 * @param stores the shards' stores
 * @param logs the shards' logs
 * @param crossShard keeps each shard from promising durability too early
 * @param lastGsn the largest GSN seen; new batches get larger GSNs
 */
record PartedShards(
    List<KvStore> stores, List<PartLog> logs, CrossShardDurability crossShard, long lastGsn) {

  /** Copies the lists. */
  PartedShards {
    stores = List.copyOf(stores);
    logs = List.copyOf(logs);
  }

  /**
   * Opens all shards of a set.
   *
   * @param opened receives each resource that must be closed if a later step fails
   */
  static PartedShards open(
      ShardOpener opener, int set, int shards, Consumer<AutoCloseable> opened) {
    List<PartLogOpening> openings = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      PartLogOpening opening = opener.prepare(set, shard);
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
