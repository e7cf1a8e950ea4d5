// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.base.PartTail;
import io.github.rlsm.kv.KvStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Shards with logs that keep parts, opened together: each says which parts it has, from which it is
 * decided where each one's history ends; only then they are opened.
 *
 * @param stores the shards' stores
 * @param logs their logs
 * @param agreement who keeps each of them from promising too much
 * @param lastGsn no number up to this one may be given to a batch
 */
record PartedShards(List<KvStore> stores, List<PartLog> logs, Agreement agreement, long lastGsn) {

  /** Takes copies. */
  PartedShards {
    stores = List.copyOf(stores);
    logs = List.copyOf(logs);
  }

  /**
   * Opens so many shards of a set.
   *
   * @param opened is given what is to be closed if anything fails later on
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
    PartCut cut = PartCut.of(tails);
    Agreement agreement = new Agreement(shards);
    List<KvStore> stores = new ArrayList<>();
    List<PartLog> logs = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      int number = shard;
      agreement.begin(shard, cut.lastGsn(shard));
      PartLogOpening.Opened one =
          openings.get(shard).open(cut.end(shard), gsn -> agreement.force(number, gsn));
      opened.accept(one.store());
      stores.add(one.store());
      logs.add(one.parts());
    }
    agreement.begin(logs);
    return new PartedShards(stores, logs, agreement, PartCut.largestGsn(tails));
  }
}
