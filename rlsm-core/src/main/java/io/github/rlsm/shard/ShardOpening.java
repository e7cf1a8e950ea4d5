// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.io.DirectoryLock;
import io.github.rlsm.io.FreshCopy;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Opens the shards, makes sure that they are the ones that belong together, and completes the
 * transactions that a crash has left in part.
 *
 * <p>Making a store: the file {@code SHARDS} says that it is being made and how many shards there
 * are to be; then each shard gets its mark; then the file says that all have theirs. So a shard
 * without a mark is a new one only as long as the file says so.
 *
 * <p>If a step fails, what the steps before it opened is closed in the opposite order, and the
 * error goes on.
 *
 * <p>Threads: one thread at a time.
 */
final class ShardOpening {

  private final StoreDirectory directory;
  private final RandomGenerator random;
  private final int asked;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final List<KvStore> stores = new ArrayList<>();
  private final List<ShardMark> marks = new ArrayList<>();
  private int marksWritten;
  private @Nullable TransactionLog log;
  private @Nullable PartedShards parted;

  private ShardRouter router = new ShardRouter(1);

  /** An opening of so many shards; of as many as there are for 0. */
  private ShardOpening(StoreDirectory directory, RandomGenerator random, int asked) {
    this.directory = directory;
    this.random = random;
    this.asked = asked;
  }

  /**
   * The shards, opened.
   *
   * @param lock the right to the directory
   * @param marks each shard's, as it stands in it
   * @param head what {@code SHARDS} says
   * @param marksWritten how many writes of marks there were
   * @param log of batches over several shards; null if the shards' logs keep their parts
   * @param parted the shards, if their logs keep parts
   */
  record Opened(
      StoreDirectory directory,
      DirectoryLock lock,
      List<KvStore> stores,
      List<ShardMark> marks,
      ShardLogLayout.Head head,
      int marksWritten,
      @Nullable TransactionLog log,
      @Nullable PartedShards parted) {

    /** Closes all but the stores. */
    void closeFiles() {
      if (log != null) {
        log.close();
      }
      lock.close();
      directory.close();
    }
  }

  static Opened open(
      StoreDirectory directory, int shards, ShardOpener opener, RandomGenerator random) {
    ShardOpening opening = new ShardOpening(directory, random, shards);
    try {
      return opening.open(opener);
    } catch (RuntimeException | Error e) {
      opening.closeAll(e);
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

  private Opened open(ShardOpener opener) {
    opened.push(directory);
    DirectoryLock lock = directory.lock();
    opened.push(lock);
    boolean isSharded = directory.exists(StoreFileName.SHARDS);
    if (!isSharded) {
      checkNotWhole();
    }
    ShardLogLayout.Head head = isSharded ? openAgain(opener) : make(opener);
    return new Opened(directory, lock, stores, marks, head, marksWritten, log, parted);
  }

  private void checkNotWhole() {
    if (directory.exists(StoreFileName.CURRENT)) {
      throw new FormatVersionException(
          directory.path(), "it holds a store without shards; open it as one");
    }
  }

  private ShardLogLayout.Head make(ShardOpener opener) {
    checkNoStore();
    if (asked == 0) {
      throw new InvalidOptionsException(
          List.of("shards is 0; say how many the new store shall have"));
    }
    router = new ShardRouter(asked);
    ShardLogLayout.Head head = new ShardLogLayout.Head(
        random.nextLong(), 0, asked, opener.keepsParts(), 1, random.nextInt());
    TransactionLog.create(directory, random, head).close();
    openStores(opener, head.set());
    return finishMaking(head);
  }

  /** Nothing may be there but what is left of an attempt to make a store. */
  private void checkNoStore() {
    directory.list().stream()
        .filter(name -> !name.equals(StoreFileName.LOCK))
        .filter(name -> !name.equals(StoreFileName.SHARDS_TEMPORARY))
        .sorted()
        .findFirst()
        .ifPresent(name -> {
          throw new FormatVersionException(
              directory.path(),
              "not a store of several shards, for it has no " + StoreFileName.SHARDS
                  + ", and not empty: it holds " + name + "; name an empty directory");
        });
  }

  private ShardLogLayout.Head finishMaking(ShardLogLayout.Head head) {
    for (int shard = 0; shard < stores.size(); shard++) {
      ShardMark mark = new ShardMark(head.storeId(), shard, router.shards(), 0);
      ShardMark found = markOf(shard);
      if (found == null) {
        checkEmpty(shard);
        KvStore store = stores.get(shard);
        Keyspace keyspace = store.keyspace(ShardMark.KEYSPACE);
        store.write(new WriteBatch().put(keyspace, ShardMark.key(), mark.encode()), Durability.OS);
        marksWritten++;
      } else {
        check(shard, found, head.storeId());
      }
      marks.add(mark);
    }
    // Also those that an earlier attempt has written.
    stores.forEach(KvStore::sync);
    return install(head.next(1, random.nextInt()));
  }

  /** Puts a file without records in the place of the one that is there. */
  private ShardLogLayout.Head install(ShardLogLayout.Head head) {
    TransactionLog fresh = TransactionLog.create(directory, random, head);
    if (head.keepsParts()) {
      fresh.close(); // nothing is ever added to it
    } else {
      log = fresh;
      opened.push(fresh);
    }
    return head;
  }

  private void openStores(ShardOpener opener, int set) {
    // What a resharding has left; the file that names the set is durable by now.
    opener.keepOnly(set);
    if (opener.keepsParts()) {
      parted = PartedShards.open(opener, set, router.shards(), opened::push);
      stores.addAll(parted.stores());
      return;
    }
    for (int shard = 0; shard < router.shards(); shard++) {
      KvStore store = opener.open(set, shard);
      opened.push(store);
      stores.add(store);
    }
  }

  private @Nullable ShardMark markOf(int shard) {
    KvStore store = stores.get(shard);
    byte[] mark = store.keyspaceNames().contains(ShardMark.KEYSPACE)
        ? store.keyspace(ShardMark.KEYSPACE).get(ShardMark.key())
        : null;
    return mark == null ? null : ShardMark.decode(mark, shard);
  }

  private void checkEmpty(int shard) {
    KvStore store = stores.get(shard);
    Set<String> names = new TreeSet<>(store.keyspaceNames());
    names.remove(ShardMark.KEYSPACE);
    try (KvIterator first = store.scan(ScanOptions.builder().limit(1).build())) {
      if (!names.isEmpty() || first.next()) {
        throw new FormatVersionException(
            "shard " + shard, "holds data, and is not a shard of this store, which is being made");
      }
    }
  }

  private void check(int shard, ShardMark mark, long storeId) {
    if (mark.storeId() != storeId || mark.shard() != shard || mark.shards() != router.shards()) {
      throw new FormatVersionException(
          "shard " + shard,
          String.format(
              Locale.ROOT,
              "is shard %d of %d of store %016x, not of this store, %016x",
              mark.shard(),
              mark.shards(),
              mark.storeId(),
              storeId));
    }
  }

  private ShardLogLayout.Head openAgain(ShardOpener opener) {
    ShardLogLayout.Head head;
    long next = 0;
    try (TransactionLogReader reader = TransactionLogReader.open(directory)) {
      checkOptions(reader.head(), opener);
    }
    makeDurable();
    try (TransactionLogReader reader = TransactionLogReader.open(directory)) {
      head = reader.head();
      router = new ShardRouter(head.shards());
      if (head.isComplete()) {
        WholeFiles.delete(directory);
      } else {
        // The file is made last where a store without shards becomes one of several.
        checkNotWhole();
      }
      openStores(opener, head.set());
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

  /** Nothing will take the place of what is there. */
  private void deleteTemporary() {
    if (directory.exists(StoreFileName.SHARDS_TEMPORARY)) {
      directory.delete(StoreFileName.SHARDS_TEMPORARY);
    }
  }

  private void checkOptions(ShardLogLayout.Head head, ShardOpener opener) {
    if (asked != 0 && asked != head.shards()) {
      throw new InvalidOptionsException(List.of("shards is " + asked
          + ", but the store was made with " + head.shards()
          + "; resharding changes it, see ./rlsm reshard"));
    }
    checkBatches(head, opener);
  }

  private void checkBatches(ShardLogLayout.Head head, ShardOpener opener) {
    if (head.keepsParts() != opener.keepsParts()) {
      throw new FormatVersionException(
          directory.path(),
          head.keepsParts()
              ? "the logs of its shards keep parts of batches, which these stores do not know"
              : "its batches over several shards are in a log of their own, which stores that keep"
                  + " parts of them do not use");
    }
  }

  /**
   * No shard may be more durable than the content of the file. A process may have died before it
   * forced the file or its name, or the force may have failed. So the file is not forced but
   * written again.
   */
  private void makeDurable() {
    FreshCopy.replace(directory, StoreFileName.SHARDS, StoreFileName.SHARDS_TEMPORARY);
    directory.syncDirectory();
  }

  private long recover(TransactionLogReader reader) {
    for (int shard = 0; shard < stores.size(); shard++) {
      marks.add(existingMark(shard, reader.head().storeId()));
    }
    dropOrphans();
    return redo(reader);
  }

  private ShardMark existingMark(int shard, long storeId) {
    ShardMark mark = markOf(shard);
    if (mark == null) {
      throw new CorruptionException(
          "shard " + shard, 0, "it is empty, or not a shard: it has no mark");
    }
    check(shard, mark, storeId);
    return mark;
  }

  /** A keyspace exists if it does in shard 0; what others have beside that was never finished. */
  private void dropOrphans() {
    Set<String> names = stores.get(0).keyspaceNames();
    for (KvStore store : stores) {
      store.keyspaceNames().stream()
          .filter(name -> !names.contains(name))
          .forEach(store::dropKeyspace);
    }
  }

  /** Applies what is missing, and makes it durable. Returns the next GSN. */
  private long redo(TransactionLogReader reader) {
    Redo redo = new Redo();
    long next = reader.read(redo::begin);
    if (reader.head().keepsParts()) {
      if (next > reader.head().firstGsn()) {
        throw new CorruptionException(
            StoreFileName.SHARDS, ShardLogLayout.HEAD_BYTES, "a record where none belongs");
      }
      return next;
    }
    for (int shard = 0; shard < stores.size(); shard++) {
      long gsn = marks.get(shard).gsn();
      if (gsn >= next) {
        throw new CorruptionException(
            StoreFileName.SHARDS,
            ShardLogLayout.HEAD_BYTES,
            "it ends before transaction " + next + ", and shard " + shard + " has a part of "
                + gsn);
      }
    }
    redo.apply();
    stores.forEach(KvStore::sync);
    return next;
  }

  /** The parts of transactions that shards have not got, in their order. */
  private final class Redo {

    /** One shard's part of one transaction. */
    private record Part(int shard, long gsn, WriteBatch batch) {}

    private final List<Part> parts = new ArrayList<>();

    BatchLayout.Reader begin(long gsn) {
      int first = parts.size();
      return (keyspace, key, value) -> {
        int shard = router.shardOf(key, 0, key.length);
        if (gsn > marks.get(shard).gsn()) {
          add(part(first, shard, gsn), keyspace, key, value);
        }
      };
    }

    private Part part(int first, int shard, long gsn) {
      for (Part part : parts.subList(first, parts.size())) {
        if (part.shard == shard) {
          return part;
        }
      }
      Part part = new Part(shard, gsn, new WriteBatch());
      parts.add(part);
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
        throw new CorruptionException(
            StoreFileName.SHARDS,
            ShardLogLayout.HEAD_BYTES,
            "a record names keyspace \"" + name + "\", which shard " + shard + " has not");
      }
      return store.keyspace(name);
    }

    void apply() {
      for (Part part : parts) {
        ShardMark mark = marks.get(part.shard).withGsn(part.gsn);
        KvStore store = stores.get(part.shard);
        part.batch.put(store.keyspace(ShardMark.KEYSPACE), ShardMark.key(), mark.encode());
        store.write(part.batch, Durability.OS);
        marks.set(part.shard, mark);
        marksWritten++;
      }
    }
  }
}
