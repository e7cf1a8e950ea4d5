// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.admin;

import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.KvReader;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.ScanOptions;
import io.github.rlsm.kv.StoreLockedException;
import io.github.rlsm.kv.WriteBatch;
import io.github.rlsm.shard.MergedIterator;
import io.github.rlsm.shard.ShardIdentity;
import io.github.rlsm.shard.redo.ShardLogLayout;
import io.github.rlsm.shard.redo.TransactionLog;
import io.github.rlsm.shard.redo.TransactionLogReader;
import io.github.rlsm.shard.worker.ShardRouter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Changes the number of shards of a store, also from or to a store without shards, while the store
 * is not open elsewhere. All entries are copied beside the old store, to a new set of shards or to
 * a store without shards. The copy is made durable, opened again and compared.
 *
 * <p>One change of a name then makes the copy the store: a new {@code SHARDS} replaces the old file
 * or is created, or the old file is deleted. So a crash leaves the old store or the new one,
 * complete. The remaining files of the other store are deleted at the next opening. Resharding
 * needs the disk space of a second copy.
 *
 * <p>Threads: one thread at a time.
 */
public final class Resharding {

  private static final int BATCH_BYTES = 1 << 20;

  private final StoreDirectory directory;
  private final RandomGenerator random;
  private final Source before;
  private final ShardOpener opener;
  private final ShardLogLayout.Head head;
  private final ShardRouter router;
  private long entries;

  /**
   * The store before resharding.
   *
   * @param stores its shards, or the single store
   * @param head the head of its file {@code SHARDS}; null for a store without shards
   * @param files closes what remains open after the stores
   */
  private record Source(List<KvStore> stores, ShardLogLayout.@Nullable Head head, Runnable files) {

    int shards() {
      return head == null ? 0 : stores.size();
    }
  }

  private Resharding(
      StoreDirectory directory,
      RandomGenerator random,
      Source before,
      ShardOpener opener,
      int shards) {
    this.directory = directory;
    this.random = random;
    this.before = before;
    this.opener = opener;
    ShardLogLayout.Head old = before.head;
    this.head = old == null
        ? new ShardLogLayout.Head(
            random.nextLong(), 1, shards, opener.keepsParts(), 1, random.nextInt())
        : new ShardLogLayout.Head(
            old.storeId(),
            old.firstGsn(),
            shards,
            old.keepsParts(),
            old.set() + 1,
            random.nextInt());
    this.router = new ShardRouter(Math.max(1, shards));
  }

  /**
   * Copies a store to another number of shards. Does nothing if the store has that number already.
   *
   * @param directory the store's own, as for {@link ShardOpening}; closed at the end
   * @param shards the new number of shards, 1 to {@link ShardRouter#SHARDS_MAX}; 0 for a store
   *     without shards
   * @param opener opens shards of the old and the new set, both at the same time
   * @param random draws salts
   * @return the number of entries copied
   * @throws io.github.rlsm.kv.InvalidOptionsException if the directory holds no store
   * @throws CorruptionException if the copy differs from the store, which is then unchanged
   */
  public static long run(
      StoreDirectory directory, int shards, ShardOpener opener, RandomGenerator random) {
    Source before = open(directory, opener, random);
    try {
      if (before.shards() == shards) {
        return 0;
      }
      Resharding resharding = new Resharding(directory, random, before, opener, shards);
      resharding.copy();
      resharding.compare();
      resharding.exchange();
      return resharding.entries;
    } finally {
      closeAll(before.stores);
      before.files.run();
    }
  }

  /**
   * Returns the number of shards of the store in a directory; 0 for a store without shards, empty
   * if there is no store. The store may be open.
   *
   * @throws CorruptionException if the file {@code SHARDS} is damaged
   * @throws io.github.rlsm.kv.FormatVersionException if the file has a newer format
   */
  public static OptionalInt shards(StoreDirectory directory) {
    if (!directory.exists(StoreFileName.SHARDS)) {
      return directory.exists(StoreFileName.CURRENT) ? OptionalInt.of(0) : OptionalInt.empty();
    }
    try (TransactionLogReader file = TransactionLogReader.open(directory)) {
      return OptionalInt.of(file.head().shards());
    }
  }

  private static Source open(StoreDirectory directory, ShardOpener opener, RandomGenerator random) {
    boolean isWhole =
        directory.exists(StoreFileName.CURRENT) && !directory.exists(StoreFileName.SHARDS);
    if (!isWhole) {
      ShardOpening.Opened opened = ShardOpening.shards(directory, opener, random);
      return new Source(opened.stores(), opened.head(), opened.closing());
    }
    StoreDirectory.Lock lock = null;
    try {
      lock = directory.lock();
      if (directory.exists(StoreFileName.SHARDS)) {
        throw new StoreLockedException(directory.path(), "a process that has just resharded it");
      }
      opener.keepOnly(0);
      KvStore whole = opener.openWhole(WholeFiles.lend(directory));
      StoreDirectory.Lock held = lock;
      return new Source(List.of(whole), null, () -> {
        held.close();
        directory.close();
      });
    } catch (RuntimeException | Error e) {
      if (lock != null) {
        lock.close();
      }
      directory.close();
      throw e;
    }
  }

  private List<KvStore> openNew() {
    List<KvStore> stores = new ArrayList<>();
    try {
      if (head.shards() == 0) {
        stores.add(opener.openWhole(WholeFiles.lend(directory)));
      }
      for (int shard = 0; shard < head.shards(); shard++) {
        stores.add(opener.open(head.set(), shard));
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

  /** Returns the names of the users' keyspaces, with null for the default keyspace. */
  private static List<@Nullable String> names(KvStore store) {
    Set<String> names = new TreeSet<>(store.keyspaceNames());
    names.remove(ShardIdentity.KEYSPACE);
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
      for (String name : names(before.stores.get(0))) {
        copy(name, after);
      }
      for (int shard = 0; shard < head.shards(); shard++) {
        ShardIdentity identity = new ShardIdentity(head.storeId(), shard, head.shards(), 0);
        after
            .get(shard)
            .keyspace(ShardIdentity.KEYSPACE)
            .put(ShardIdentity.key(), identity.encode(), Durability.OS);
      }
      after.forEach(KvStore::sync);
    } finally {
      closeAll(after);
    }
  }

  private void copy(@Nullable String name, List<KvStore> after) {
    List<Keyspace> targets = after.stream().map(store -> keyspace(store, name)).toList();
    List<WriteBatch> batches = after.stream().map(store -> new WriteBatch()).toList();
    for (KvStore source : before.stores) {
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

  /** Opens the new shards again and checks that they hold the same data as the old ones. */
  private void compare() {
    List<KvStore> after = openNew();
    try {
      List<@Nullable String> names = names(before.stores.get(0));
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
    try (KvIterator old = merged(before.stores, name);
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
    return CorruptionException.withRemedy(
        "set " + head.set(),
        0,
        "the copy does not have the same " + what + " as the store, which is unchanged",
        "reshard it again");
  }

  /** Makes the copy the store. */
  private void exchange() {
    closeAll(before.stores);
    if (head.shards() > 0) {
      TransactionLog.create(directory, random, head).close();
      WholeFiles.delete(directory);
      opener.keepOnly(head.set());
    } else {
      directory.delete(StoreFileName.SHARDS);
      directory.syncDirectory();
      opener.keepOnly(0);
    }
  }
}
