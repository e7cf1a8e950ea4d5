// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.admin;

import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.FormatVersionException;
import io.github.rlsm.kv.InvalidOptionsException;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.ScanOptions;
import io.github.rlsm.kv.WriteBatch;
import io.github.rlsm.shard.CommitProtocol;
import io.github.rlsm.shard.ShardIdentity;
import io.github.rlsm.shard.ShardedStore;
import io.github.rlsm.shard.parts.PartsProtocol;
import io.github.rlsm.shard.redo.RedoProtocol;
import io.github.rlsm.shard.redo.RedoRecovery;
import io.github.rlsm.shard.redo.ShardLogLayout;
import io.github.rlsm.shard.redo.TransactionLog;
import io.github.rlsm.shard.redo.TransactionLogReader;
import io.github.rlsm.shard.worker.Health;
import io.github.rlsm.shard.worker.ShardRouter;
import io.github.rlsm.shard.worker.ShardSettings;
import io.github.rlsm.shard.worker.Shards;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Opens a sharded store: opens its shards and checks that they belong to this store. A crash may
 * have left a cross-shard batch in some shards only. The batch is then completed, or dropped if the
 * shards' logs keep parts.
 *
 * <p>Creating a store has three steps. First the file {@code SHARDS} is written with the number of
 * shards and the state "being created". Then each shard gets its identity. Then the file is
 * replaced by one that says that all shards have their identities. So a shard without an identity
 * is accepted as a new shard only while the file says so.
 *
 * <p>If a step fails, everything opened before is closed in the opposite order, and the error is
 * rethrown.
 *
 * <p>Threads: one thread at a time.
 */
public final class ShardOpening {

  private final StoreDirectory directory;
  private final int asked;
  private final ShardOpener opener;
  private final RandomGenerator random;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final List<KvStore> stores = new ArrayList<>();
  private int identitiesWritten;
  private @Nullable TransactionLog log;
  private @Nullable PartsProtocol parts;

  private ShardRouter router = new ShardRouter(1);

  /** Prepares to open {@code asked} shards; 0 for the existing number. */
  private ShardOpening(
      StoreDirectory directory, int asked, ShardOpener opener, RandomGenerator random) {
    this.directory = directory;
    this.asked = asked;
    this.opener = opener;
    this.random = random;
  }

  /**
   * Opens a sharded store, and creates it if the directory holds none. A crash may have left a
   * cross-shard batch in some shards only. The batch is then completed, or dropped if the shards'
   * logs keep parts.
   *
   * @param directory holds the file {@code SHARDS}, with the number of shards and the redo log; not
   *     a shard's own directory; closed with the store
   * @param shards the number of shards, 1 to {@link ShardRouter#SHARDS_MAX}; 0 for the existing
   *     number. Only {@link Resharding} changes it
   * @param opener opens the store of a shard, which this store owns from then on
   * @throws io.github.rlsm.kv.StoreLockedException if the directory is in use
   * @throws io.github.rlsm.kv.InvalidOptionsException if the store has another number of shards
   * @throws io.github.rlsm.kv.FormatVersionException if the directory or a shard is not a store,
   *     belongs to another store, or has a newer format
   * @throws io.github.rlsm.kv.CorruptionException if files are damaged, or a shard is missing
   */
  public static ShardedStore open(
      StoreDirectory directory,
      int shards,
      ShardOpener opener,
      ShardSettings settings,
      Services services) {
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(opener, "opener");
    Objects.requireNonNull(settings, "settings");
    if (shards != 0) {
      ShardRouter.check(shards);
    }
    Health health = new Health();
    ShardOpening opening = new ShardOpening(directory, shards, opener, services.random());
    Opened opened = opening.open(health);
    PartsProtocol parts = opened.parts();
    Shards workers = new Shards(
        opened.stores(),
        settings,
        services.workers(),
        health,
        parts == null ? List.of() : parts.forces(),
        opened.closing());
    CommitProtocol protocol =
        parts == null ? new RedoProtocol(Objects.requireNonNull(opened.log()), workers) : parts;
    return new ShardedStore(workers, protocol, opened.identitiesWritten(), services.completions());
  }

  /** Opens the existing shards without a store over them. Parameters as for {@link #open}. */
  static Opened shards(StoreDirectory directory, ShardOpener opener, RandomGenerator random) {
    return new ShardOpening(directory, 0, opener, random).open(new Health());
  }

  /**
   * The opened shards.
   *
   * @param head the head of {@code SHARDS}
   * @param identitiesWritten how many identities were written
   * @param log the redo log of cross-shard batches; null if the shards' logs keep parts
   * @param parts the protocol of shards whose logs keep parts
   * @param closing closes everything but the stores
   */
  record Opened(
      List<KvStore> stores,
      ShardLogLayout.Head head,
      int identitiesWritten,
      @Nullable TransactionLog log,
      @Nullable PartsProtocol parts,
      Runnable closing) {}

  private Opened open(Health health) {
    try {
      return openAll(health);
    } catch (RuntimeException | Error e) {
      closeAll(e);
      throw e;
    }
  }

  private void closeAll(Throwable cause) {
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception e) {
        cause.addSuppressed(e);
      }
    }
  }

  private Opened openAll(Health health) {
    opened.push(directory);
    StoreDirectory.Lock lock = directory.lock();
    opened.push(lock);
    boolean isSharded = directory.exists(StoreFileName.SHARDS);
    if (!isSharded) {
      checkNotWhole();
    }
    ShardLogLayout.Head head = isSharded ? openAgain(health) : make(health);
    return new Opened(stores, head, identitiesWritten, log, parts, () -> closeFiles(lock));
  }

  private void closeFiles(StoreDirectory.Lock lock) {
    if (log != null) {
      log.close();
    }
    lock.close();
    directory.close();
  }

  private void checkNotWhole() {
    if (directory.exists(StoreFileName.CURRENT)) {
      throw new FormatVersionException(
          directory.path(), "it holds a store without shards; open it with shards = 0");
    }
  }

  private ShardLogLayout.Head make(Health health) {
    checkNoStore();
    if (asked == 0) {
      throw new InvalidOptionsException(
          List.of("shards is 0; set it to the number of shards of the new store"));
    }
    router = new ShardRouter(asked);
    ShardLogLayout.Head head = new ShardLogLayout.Head(
        random.nextLong(), 0, asked, opener.keepsParts(), 1, random.nextInt());
    TransactionLog.create(directory, random, head).close();
    openStores(head.set(), health);
    return finishMaking(head);
  }

  /** Refuses a directory that holds more than the files of an unfinished creation. */
  private void checkNoStore() {
    directory.list().stream()
        .filter(name -> !name.equals(StoreFileName.LOCK))
        .filter(name -> !name.equals(StoreFileName.SHARDS_TEMPORARY))
        .sorted()
        .findFirst()
        .ifPresent(name -> {
          throw new FormatVersionException(
              directory.path(),
              "it is not a sharded store, because it has no file " + StoreFileName.SHARDS
                  + ", and it is not empty: it holds " + name + "; name an empty directory");
        });
  }

  private ShardLogLayout.Head finishMaking(ShardLogLayout.Head head) {
    for (int shard = 0; shard < stores.size(); shard++) {
      ShardIdentity identity = new ShardIdentity(head.storeId(), shard, router.shards(), 0);
      ShardIdentity found = identityOf(shard);
      if (found == null) {
        checkEmpty(shard);
        KvStore store = stores.get(shard);
        Keyspace keyspace = store.keyspace(ShardIdentity.KEYSPACE);
        store.write(
            new WriteBatch().put(keyspace, ShardIdentity.key(), identity.encode()), Durability.OS);
        identitiesWritten++;
      } else {
        check(shard, found, head.storeId());
      }
    }
    // Also forces identities that an earlier attempt has written.
    stores.forEach(KvStore::sync);
    return install(head.next(1, random.nextInt()));
  }

  /** Replaces the file by one without records. */
  private ShardLogLayout.Head install(ShardLogLayout.Head head) {
    TransactionLog fresh = TransactionLog.create(directory, random, head);
    if (head.keepsParts()) {
      fresh.close(); // no record is ever added
    } else {
      log = fresh;
      opened.push(fresh);
    }
    return head;
  }

  private void openStores(int set, Health health) {
    // Deletes sets that a resharding has left. The file that names the set is durable by now.
    opener.keepOnly(set);
    if (opener.keepsParts()) {
      parts = PartsProtocol.open(
          router.shards(), shard -> opener.prepare(set, shard), opened::push, health);
      stores.addAll(parts.stores());
      return;
    }
    for (int shard = 0; shard < router.shards(); shard++) {
      KvStore store = opener.open(set, shard);
      opened.push(store);
      stores.add(store);
    }
  }

  private @Nullable ShardIdentity identityOf(int shard) {
    KvStore store = stores.get(shard);
    byte[] identity = store.keyspaceNames().contains(ShardIdentity.KEYSPACE)
        ? store.keyspace(ShardIdentity.KEYSPACE).get(ShardIdentity.key())
        : null;
    return identity == null ? null : ShardIdentity.decode(identity, shard);
  }

  private void checkEmpty(int shard) {
    KvStore store = stores.get(shard);
    Set<String> names = new TreeSet<>(store.keyspaceNames());
    names.remove(ShardIdentity.KEYSPACE);
    try (KvIterator first = store.scan(ScanOptions.builder().limit(1).build())) {
      if (!names.isEmpty() || first.next()) {
        throw new FormatVersionException(
            "shard " + shard,
            "holds data, but is not a shard of the store being created; move that data away");
      }
    }
  }

  private void check(int shard, ShardIdentity identity, long storeId) {
    if (identity.storeId() != storeId
        || identity.shard() != shard
        || identity.shards() != router.shards()) {
      throw new FormatVersionException(
          "shard " + shard,
          String.format(
              Locale.ROOT,
              "is shard %d of %d of store %016x; expected shard %d of %d of store %016x; restore"
                  + " the directory of that shard",
              identity.shard(),
              identity.shards(),
              identity.storeId(),
              shard,
              router.shards(),
              storeId));
    }
  }

  private ShardLogLayout.Head openAgain(Health health) {
    ShardLogLayout.Head head;
    long next = 0;
    try (TransactionLogReader reader = TransactionLogReader.open(directory)) {
      checkOptions(reader.head());
    }
    makeDurable();
    try (TransactionLogReader reader = TransactionLogReader.open(directory)) {
      head = reader.head();
      router = new ShardRouter(head.shards());
      if (head.isComplete()) {
        WholeFiles.delete(directory);
      } else {
        // Resharding a store without shards creates the file complete, as its last step. So an
        // incomplete file beside a store without shards is refused.
        checkNotWhole();
      }
      openStores(head.set(), health);
      if (head.isComplete()) {
        next = recover(reader);
      }
    }
    if (next == 0) {
      return finishMaking(head);
    }
    if (head.keepsParts()) {
      deleteTemporary();
      return head;
    }
    return install(head.next(next, random.nextInt()));
  }

  /** Deletes a leftover temporary file, because the file {@code SHARDS} is not replaced. */
  private void deleteTemporary() {
    if (directory.exists(StoreFileName.SHARDS_TEMPORARY)) {
      directory.delete(StoreFileName.SHARDS_TEMPORARY);
    }
  }

  private void checkOptions(ShardLogLayout.Head head) {
    if (asked != 0 && asked != head.shards()) {
      throw new InvalidOptionsException(List.of("shards is " + asked
          + ", but the store was made with " + head.shards()
          + "; to change the number of shards, use ./rlsm reshard"));
    }
    checkBatches(head);
  }

  private void checkBatches(ShardLogLayout.Head head) {
    if (head.keepsParts() != opener.keepsParts()) {
      throw new FormatVersionException(
          directory.path(),
          head.keepsParts()
              ? "the logs of its shards keep parts of cross-shard batches, which this engine does"
                  + " not support; open it with the engine that created it"
              : "its cross-shard batches are in the file " + StoreFileName.SHARDS
                  + ", but this engine keeps them in the shards' logs; open it with the engine that"
                  + " created it");
    }
  }

  /**
   * Makes the file durable by a copy. No shard may be more durable than the content of the file. A
   * process may have died before it forced the file or its name, or the force may have failed. So
   * the file is not forced but written again.
   */
  private void makeDurable() {
    directory.replaceByCopy(StoreFileName.SHARDS, StoreFileName.SHARDS_TEMPORARY);
    directory.syncDirectory();
  }

  /** Checks the shards and completes or drops the last batches. Returns the next GSN. */
  private long recover(TransactionLogReader reader) {
    List<ShardIdentity> identities = new ArrayList<>();
    for (int shard = 0; shard < stores.size(); shard++) {
      identities.add(existingIdentity(shard, reader.head().storeId()));
    }
    dropOrphans();
    if (reader.head().keepsParts()) {
      return reader.readEmpty();
    }
    RedoRecovery recovery = new RedoRecovery(stores, identities);
    long next = recovery.redo(reader);
    identitiesWritten += recovery.identitiesWritten();
    return next;
  }

  private ShardIdentity existingIdentity(int shard, long storeId) {
    ShardIdentity identity = identityOf(shard);
    if (identity == null) {
      throw new CorruptionException(
          "shard " + shard, 0, "it has no identity: the shard is empty or is another store");
    }
    check(shard, identity, storeId);
    return identity;
  }

  /**
   * Drops keyspaces that shard 0 does not have. A keyspace exists if shard 0 has it. An unfinished
   * creation or drop may have left such a keyspace in other shards.
   */
  private void dropOrphans() {
    Set<String> names = stores.get(0).keyspaceNames();
    for (KvStore store : stores) {
      store.keyspaceNames().stream()
          .filter(name -> !names.contains(name))
          .forEach(store::dropKeyspace);
    }
  }

  /**
   * The services that a sharded store gets from its caller.
   *
   * @param workers creates the thread of each worker
   * @param random draws ids and salts
   * @param completions runs the callbacks of asynchronous calls
   */
  public record Services(ThreadFactory workers, RandomGenerator random, Executor completions) {}
}
