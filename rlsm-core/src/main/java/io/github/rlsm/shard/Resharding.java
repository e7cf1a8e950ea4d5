// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.KvReader;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.ScanOptions;
import io.github.rlsm.kv.WriteBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Deals out a store to another number of shards, while nobody else has it. Everything is copied to
 * a new set of shards beside the old one, made durable, opened again and compared; then a new
 * {@code SHARDS} that names the new set takes the old one's place by one rename. So a crash leaves
 * the old store or the new one, each whole; what is left of the other goes when the store is opened
 * again. It takes the room of a second copy.
 *
 * <p>Threads: one thread at a time.
 */
public final class Resharding {

  private static final int BATCH_BYTES = 1 << 20;

  private final ShardOpening.Opened before;
  private final ShardOpener opener;
  private final int set;
  private final ShardRouter router;
  private long entries;

  private Resharding(ShardOpening.Opened before, ShardOpener opener, ShardRouter router) {
    this.before = before;
    this.opener = opener;
    this.set = before.log().head().set() + 1;
    this.router = router;
  }

  /**
   * Deals out a store anew. Does nothing if it has that many shards already.
   *
   * @param directory the store's own, as for {@link ShardedStore#open}; closed at the end
   * @param shards how many there shall be, 1 to {@link ShardRouter#SHARDS_MAX}
   * @param opener opens shards of the old set and the new one, both at a time
   * @param random for salts
   * @return how many entries were copied
   * @throws io.github.rlsm.kv.InvalidOptionsException if there is no store
   * @throws CorruptionException if what was copied is not what is there; the store is as it was
   */
  public static long run(
      StoreDirectory directory, int shards, ShardOpener opener, RandomGenerator random) {
    ShardRouter router = new ShardRouter(shards);
    ShardOpening.Opened before = ShardOpening.open(directory, 0, opener, random);
    try {
      if (before.stores().size() == shards) {
        return 0;
      }
      Resharding resharding = new Resharding(before, opener, router);
      resharding.copy();
      resharding.compare();
      resharding.exchange(directory, random);
      return resharding.entries;
    } finally {
      closeAll(before.stores());
      before.closeFiles();
    }
  }

  private List<KvStore> openNew() {
    List<KvStore> stores = new ArrayList<>();
    try {
      for (int shard = 0; shard < router.shards(); shard++) {
        stores.add(opener.open(set, shard));
      }
    } catch (RuntimeException | Error e) {
      closeAll(stores);
      throw e;
    }
    return stores;
  }

  private static void closeAll(List<KvStore> stores) {
    stores.forEach(KvStore::close);
  }

  /** The names of all keyspaces of the users; null for the default one. */
  private static List<@Nullable String> names(KvStore store) {
    Set<String> names = new TreeSet<>(store.keyspaceNames());
    names.remove(ShardMark.KEYSPACE);
    List<@Nullable String> all = new ArrayList<>();
    all.add(null);
    all.addAll(names);
    return all;
  }

  private static Keyspace keyspace(KvStore store, @Nullable String name) {
    return name == null ? store : store.keyspace(name);
  }

  private void copy() {
    List<KvStore> after = openNew();
    try {
      for (String name : names(before.stores().get(0))) {
        copy(name, after);
      }
      long storeId = before.log().head().storeId();
      for (int shard = 0; shard < after.size(); shard++) {
        KvStore store = after.get(shard);
        ShardMark mark = new ShardMark(storeId, shard, after.size(), 0);
        store.keyspace(ShardMark.KEYSPACE).put(ShardMark.key(), mark.encode(), Durability.OS);
        store.sync();
      }
    } finally {
      closeAll(after);
    }
  }

  private void copy(@Nullable String name, List<KvStore> after) {
    List<Keyspace> targets = after.stream().map(store -> keyspace(store, name)).toList();
    List<WriteBatch> batches = after.stream().map(store -> new WriteBatch()).toList();
    for (KvStore source : before.stores()) {
      try (KvIterator from = keyspace(source, name).scan()) {
        while (from.next()) {
          byte[] key = from.key();
          byte[] value = from.value();
          int shard = router.shardOf(key, 0, key.length);
          WriteBatch batch = batches.get(shard);
          if (batch.byteCount() + (long) value.length > BATCH_BYTES) {
            write(after.get(shard), batch);
          }
          batch.put(targets.get(shard), key, value);
          entries++;
        }
      }
    }
    for (int shard = 0; shard < after.size(); shard++) {
      write(after.get(shard), batches.get(shard));
    }
  }

  private static void write(KvStore store, WriteBatch batch) {
    store.write(batch, Durability.BUFFERED);
    batch.clear();
  }

  /** What the new shards hold once they are opened again must be what the old ones do. */
  private void compare() {
    List<KvStore> after = openNew();
    try {
      List<@Nullable String> names = names(before.stores().get(0));
      if (!names.equals(names(after.get(0)))) {
        throw different("keyspaces");
      }
      for (String name : names) {
        compare(name, after);
      }
    } finally {
      closeAll(after);
    }
  }

  private void compare(@Nullable String name, List<KvStore> after) {
    for (int shard = 0; shard < after.size(); shard++) {
      checkPlaces(keyspace(after.get(shard), name), shard);
    }
    try (KvIterator old = merged(before.stores(), name);
        KvIterator copied = merged(after, name)) {
      while (old.next()) {
        boolean same = copied.next()
            && Arrays.equals(old.key(), copied.key())
            && Arrays.equals(old.value(), copied.value());
        if (!same) {
          throw different("entries");
        }
      }
      if (copied.next()) {
        throw different("entries");
      }
    }
  }

  private void checkPlaces(KvReader reader, int shard) {
    try (KvIterator keys = reader.scan(ScanOptions.builder().keysOnly().build())) {
      while (keys.next()) {
        byte[] key = keys.key();
        if (router.shardOf(key, 0, key.length) != shard) {
          throw different("keys");
        }
      }
    }
  }

  private static KvIterator merged(List<KvStore> stores, @Nullable String name) {
    List<KvIterator> iterators = new ArrayList<>();
    try {
      stores.forEach(store -> iterators.add(keyspace(store, name).scan()));
    } catch (RuntimeException e) {
      iterators.forEach(KvIterator::close);
      throw e;
    }
    return new MergedIterator(iterators, ScanOptions.all(), () -> {}, () -> {});
  }

  private CorruptionException different(String what) {
    return new CorruptionException(
        "set " + set, 0, "the new shards have not the " + what + " that were copied to them");
  }

  /** The step that makes the new set the store's. */
  private void exchange(StoreDirectory directory, RandomGenerator random) {
    closeAll(before.stores());
    ShardLogLayout.Head old = before.log().head();
    ShardLogLayout.Head head = new ShardLogLayout.Head(
        old.storeId(), old.firstGsn(), router.shards(), set, random.nextInt());
    TransactionLog.create(directory, random, head).close();
    opener.keepOnly(set);
  }
}
