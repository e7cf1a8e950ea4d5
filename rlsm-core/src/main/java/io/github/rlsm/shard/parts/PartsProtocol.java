// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.parts;

import io.github.rlsm.base.PartTail;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.WriteBatch;
import io.github.rlsm.shard.CommitProtocol;
import io.github.rlsm.shard.SplitBatch;
import io.github.rlsm.shard.worker.Health;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * The commit protocol of shards whose logs keep parts. Each part is written once, to its shard's
 * own log, and only {@code SYNC} batches are forced.
 *
 * <p>The shards are opened together. First each shard reports its parts. {@link RecoveryCut} then
 * decides where each history ends, and only then the shards are opened.
 *
 * <p>Threads: any.
 */
public final class PartsProtocol implements CommitProtocol {

  private final List<KvStore> stores;
  private final List<PartLog> logs;
  private final CrossShardDurability crossShard;
  private final Health health;

  /**
   * The last GSN given to a batch; new batches get larger GSNs. Guarded by the lock
   * {@code ordering} of {@link io.github.rlsm.shard.worker.Shards}, under which batches enter the
   * queues.
   */
  private long lastGsn;

  private PartsProtocol(
      List<PartLog.Opening.Opened> shards,
      CrossShardDurability crossShard,
      Health health,
      long lastGsn) {
    this.stores = shards.stream().map(PartLog.Opening.Opened::store).toList();
    this.logs = shards.stream().map(PartLog.Opening.Opened::parts).toList();
    this.crossShard = crossShard;
    this.health = health;
    this.lastGsn = lastGsn;
  }

  /**
   * Opens all shards.
   *
   * @param prepare begins to open a shard
   * @param opened receives each resource that must be closed if a later step fails
   */
  public static PartsProtocol open(
      int shards,
      IntFunction<PartLog.Opening> prepare,
      Consumer<AutoCloseable> opened,
      Health health) {
    List<PartLog.Opening> openings = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      PartLog.Opening opening = prepare.apply(shard);
      opened.accept(opening);
      openings.add(opening);
    }
    List<PartTail> tails = openings.stream().map(PartLog.Opening::survey).toList();
    RecoveryCut cut = RecoveryCut.of(tails);
    CrossShardDurability crossShard = new CrossShardDurability(shards);
    List<PartLog.Opening.Opened> open = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      int number = shard;
      crossShard.begin(shard, cut.lastGsn(shard));
      PartLog.Opening.Opened one =
          openings.get(shard).open(cut.end(shard), gsn -> crossShard.force(number, gsn));
      opened.accept(one.store());
      open.add(one);
    }
    PartsProtocol protocol =
        new PartsProtocol(open, crossShard, health, RecoveryCut.largestGsn(tails));
    crossShard.begin(protocol.logs);
    return protocol;
  }

  /** The shards' stores. */
  public List<KvStore> stores() {
    return stores;
  }

  /** Returns actions that force the log of each shard. */
  public List<Runnable> forces() {
    return logs.stream().<Runnable>map(log -> log::force).toList();
  }

  @Override
  public CommitProtocol.Transaction begin(
      WriteBatch batch, SplitBatch split, Durability durability) {
    boolean synced = durability == Durability.SYNC;
    return new PartedTransaction(split, synced, logs, crossShard, health, () -> ++lastGsn);
  }
}
