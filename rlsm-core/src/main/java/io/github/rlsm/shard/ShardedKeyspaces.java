// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.EntryLimits;
import io.github.rlsm.kv.InvalidEntryException;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.NoSuchKeyspaceException;
import io.github.rlsm.shard.worker.Shards;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The keyspaces of a sharded store. A keyspace exists if shard 0 has it. It is created in shard 0
 * last and dropped there first, while all workers are stopped.
 *
 * <p>Threads: any.
 */
final class ShardedKeyspaces {

  private final KvStore store;
  private final Shards shards;
  private final ShardedKeyspace defaults;
  private final Map<String, ShardedKeyspace> handles = new ConcurrentHashMap<>();

  /** Creates the default keyspace of a store over the shards. */
  ShardedKeyspaces(KvStore store, Shards shards) {
    this.store = store;
    this.shards = shards;
    this.defaults = new ShardedKeyspace(store, shards, "", shards.stores());
  }

  /** The default keyspace. */
  ShardedKeyspace defaults() {
    return defaults;
  }

  /** Returns a keyspace, and creates it if it does not exist. */
  ShardedKeyspace keyspace(String name) {
    EntryLimits.checkKeyspaceName(name);
    if (name.equals(ShardIdentity.KEYSPACE)) {
      throw new InvalidEntryException(
          "the keyspace \"" + name + "\" is reserved; use another name");
    }
    shards.checkReads();
    ShardedKeyspace known = handles.get(name);
    return known != null ? known : handles.computeIfAbsent(name, this::make);
  }

  private ShardedKeyspace make(String name) {
    AtomicReference<List<Keyspace>> made = new AtomicReference<>(List.of());
    shards.runExclusively(
        () -> {
          List<Keyspace> parts = new ArrayList<>();
          // Shard 0 last: if shard 0 has the keyspace, all shards have it.
          for (int shard = shards.count() - 1; shard >= 0; shard--) {
            parts.add(0, shards.store(shard).keyspace(name));
          }
          made.set(parts);
        },
        shards::checkWrites);
    return new ShardedKeyspace(store, shards, name, made.get());
  }

  /** Returns the names of the users' keyspaces, without the default keyspace. */
  Set<String> names() {
    shards.checkReads();
    Set<String> names = new TreeSet<>(shards.store(0).keyspaceNames());
    names.remove(ShardIdentity.KEYSPACE);
    return names;
  }

  /**
   * Drops a keyspace.
   *
   * @param before runs once all workers are stopped
   */
  void drop(String name, Runnable before) {
    Objects.requireNonNull(name, "name");
    shards.checkWrites();
    if (name.equals(ShardIdentity.KEYSPACE)) {
      throw new NoSuchKeyspaceException(name);
    }
    handles.compute(name, (same, handle) -> {
      shards.runExclusively(() -> dropEverywhere(name, handle, before), shards::checkWrites);
      return null;
    });
  }

  /**
   * Drops a keyspace, first in shard 0: from then on, it does not exist. All workers are stopped,
   * so no caller sees the time between.
   */
  private void dropEverywhere(String name, @Nullable ShardedKeyspace handle, Runnable before) {
    before.run();
    shards.store(0).dropKeyspace(name);
    if (handle != null) {
      handle.drop();
    }
    try {
      for (int shard = 1; shard < shards.count(); shard++) {
        shards.store(shard).dropKeyspace(name);
      }
    } catch (NoSuchKeyspaceException e) {
      throw new AssertionError("the keyspace is not in every shard: " + name, e);
    } catch (RuntimeException e) {
      shards.health().tear(e);
      throw e;
    }
  }
}
