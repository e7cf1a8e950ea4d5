// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.redo;

import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.WriteBatch;
import io.github.rlsm.shard.ShardIdentity;
import io.github.rlsm.shard.worker.ShardRouter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The redo of cross-shard batches after a crash. Applies each part that its shard lacks, in the
 * order of the log. The identity of a shard names the last batch of which the shard has its part.
 *
 * <p>Threads: one thread, while the shards have no workers.
 */
public final class RedoRecovery {

  /** The part of one batch for one shard. */
  private record Part(int shard, long gsn, WriteBatch batch) {}

  private final List<KvStore> stores;
  private final List<ShardIdentity> identities;
  private final ShardRouter router;

  /** The parts that shards lack, in GSN order. */
  private final List<Part> missing = new ArrayList<>();

  /**
   * Creates a recovery.
   *
   * @param stores the shards' stores
   * @param identities the identity of each shard
   */
  public RedoRecovery(List<KvStore> stores, List<ShardIdentity> identities) {
    this.stores = stores;
    this.identities = identities;
    this.router = new ShardRouter(stores.size());
  }

  /**
   * Applies the missing parts and makes them durable.
   *
   * @return the next GSN
   * @throws CorruptionException if the log is damaged, or lacks a batch that a shard has
   */
  public long redo(TransactionLogReader reader) {
    long next = reader.read(this::begin);
    for (int shard = 0; shard < stores.size(); shard++) {
      long gsn = identities.get(shard).gsn();
      if (gsn >= next) {
        throw corruption("it ends before batch " + next + ", but shard " + shard
            + " has its part of batch " + gsn);
      }
    }
    missing.forEach(this::apply);
    stores.forEach(KvStore::sync);
    return next;
  }

  /** Returns how many identities {@link #redo} has written. */
  public int identitiesWritten() {
    return missing.size();
  }

  private BatchLayout.Reader begin(long gsn) {
    int first = missing.size();
    return (keyspace, key, value) -> {
      int shard = router.shardOf(key, 0, key.length);
      if (gsn > identities.get(shard).gsn()) {
        add(part(first, shard, gsn), keyspace, key, value);
      }
    };
  }

  private Part part(int first, int shard, long gsn) {
    for (Part part : missing.subList(first, missing.size())) {
      if (part.shard == shard) {
        return part;
      }
    }
    Part part = new Part(shard, gsn, new WriteBatch());
    missing.add(part);
    return part;
  }

  private void add(Part part, @Nullable String name, byte[] key, byte @Nullable [] value) {
    Keyspace keyspace = name == null ? null : keyspace(part.shard, name);
    if (value == null) {
      part.batch.delete(keyspace, key);
    } else {
      part.batch.put(keyspace, key, value);
    }
  }

  private Keyspace keyspace(int shard, String name) {
    KvStore store = stores.get(shard);
    if (!store.keyspaceNames().contains(name)) {
      throw corruption("a record names keyspace \"" + name + "\", which shard " + shard + " lacks");
    }
    return store.keyspace(name);
  }

  private void apply(Part part) {
    KvStore store = stores.get(part.shard);
    byte[] identity = identities.get(part.shard).withGsn(part.gsn).encode();
    part.batch.put(store.keyspace(ShardIdentity.KEYSPACE), ShardIdentity.key(), identity);
    store.write(part.batch, Durability.OS);
  }

  private static CorruptionException corruption(String problem) {
    return new CorruptionException(StoreFileName.SHARDS, ShardLogLayout.HEAD_BYTES, problem);
  }
}
