// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.AbstractKvStore;
import io.github.rlsm.kv.AsyncStore;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.EntryLimits;
import io.github.rlsm.kv.InvalidEntryException;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.NoSuchKeyspaceException;
import io.github.rlsm.kv.Snapshot;
import io.github.rlsm.kv.Stats;
import io.github.rlsm.kv.StoreHealth;
import io.github.rlsm.kv.VerifyListener;
import io.github.rlsm.kv.VerifyReport;
import io.github.rlsm.kv.WriteBatch;
import io.github.rlsm.shard.worker.BatchSizes;
import io.github.rlsm.shard.worker.CallRequest;
import io.github.rlsm.shard.worker.Completion;
import io.github.rlsm.shard.worker.Request;
import io.github.rlsm.shard.worker.ShardSettings;
import io.github.rlsm.shard.worker.Shards;
import io.github.rlsm.shard.worker.SnapshotBarrier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store that distributes its keys over several stores, the shards. The hash of a key selects its
 * shard. One worker thread serves each shard and turns adjacent requests into protocol.
 *
 * <p>A cross-shard batch is atomic for every reader and after any crash; see
 * {@link CommitProtocol}.
 *
 * <p>Unlike a single store, a crash leaves a gap-free prefix of each <em>shard's</em> history, not
 * of the whole store's history.
 *
 * <p>Threads: any, see {@link KvStore}.
 */
public final class ShardedStore extends AbstractKvStore {

  /** An upper bound of the bytes that a mark adds to a part, for any number of shards. */
  private static final int MARK_BYTES_MAX = 4096;

  private final ShardSettings settings;
  private final CommitProtocol protocol;
  private final Shards shards;
  private final GroupCommit groupCommit;
  private final ShardedAsyncStore async;
  private final ShardedKeyspace defaults;
  private final Durability defaultDurability;
  private final Map<String, ShardedKeyspace> handles = new ConcurrentHashMap<>();
  private final AtomicInteger openSnapshots = new AtomicInteger();

  /**
   * Creates a store over shards whose workers run.
   *
   * @param shards owned by the store from now on
   * @param protocol makes cross-shard batches atomic
   * @param completions runs the callbacks of asynchronous calls
   */
  @SuppressWarnings("this-escape") // A keyspace only stores the reference.
  public ShardedStore(
      Shards shards, CommitProtocol protocol, ShardSettings settings, Executor completions) {
    this.settings = settings;
    this.shards = shards;
    this.protocol = protocol;
    List<KvStore> stores = shards.stores();
    this.defaultDurability = stores.get(0).defaultDurability();
    this.groupCommit =
        new GroupCommit(settings.batchMax(), settings.batchBytesMax(), this::writeGathered);
    this.defaults = new ShardedKeyspace(this, shards, "", stores);
    this.async = new ShardedAsyncStore(this, shards, completions, settings.inFlightMax());
  }

  ShardSettings settings() {
    return settings;
  }

  Shards shards() {
    return shards;
  }

  /** Counts a snapshot or iterator that was opened. */
  void opened() {
    openSnapshots.incrementAndGet();
  }

  /** Counts a snapshot or iterator that was closed. */
  void closed() {
    openSnapshots.decrementAndGet();
  }

  /** Returns the keyspace as a keyspace of this store; throws if it belongs to another store. */
  ShardedKeyspace own(Keyspace keyspace) {
    return own(Objects.requireNonNull(keyspace, "keyspace"), ShardedKeyspace.class);
  }

  @Override
  protected Keyspace defaultKeyspace() {
    return defaults;
  }

  @Override
  public Durability defaultDurability() {
    return defaultDurability;
  }

  @Override
  public void write(WriteBatch batch, Durability durability) {
    SplitBatch split = split(batch, durability);
    int[] concerned = split.shards();
    if (concerned.length == 1) {
      CallRequest<Boolean> request = writeOf(split, concerned[0], durability);
      shards.submit(concerned[0], request);
      request.await();
    } else if (concerned.length > 1) {
      checkLength(batch);
      groupCommit.write(batch, durability);
      protocol.written();
    }
  }

  /** Writes the batch of one caller, or the merged batch of several callers. */
  private void writeGathered(WriteBatch batch, Durability durability) {
    SplitBatch split = split(batch, durability);
    Transaction transaction = transaction(batch, split, durability);
    shards.submitInOrder(split.shards(), transaction::part, admission(split, transaction));
    transaction.await();
  }

  /** Returns the steps that run under the ordering lock, before the parts enter the queues. */
  private static Runnable admission(SplitBatch split, Transaction transaction) {
    return () -> {
      split.check();
      transaction.admit();
    };
  }

  /**
   * Submits a batch as {@link #write} does, without waiting for its end. {@code begin} may block.
   */
  Completion<@Nullable Void> submit(
      WriteBatch batch, Durability durability, Supplier<Completion<@Nullable Void>> begin) {
    SplitBatch split = split(batch, durability);
    int[] concerned = split.shards();
    if (concerned.length > 1) {
      Transaction transaction = transaction(batch, split, durability);
      Completion<@Nullable Void> completion = begin.get().of(() -> {
        transaction.await();
        protocol.written();
        return null;
      });
      completion.take();
      transaction.completeBy(completion);
      submitInOrder(concerned, transaction, split, completion);
      return completion;
    }
    Completion<@Nullable Void> completion = begin.get();
    if (concerned.length == 0) {
      completion.of(() -> null).ended();
      return completion;
    }
    CallRequest<Boolean> request = writeOf(split, concerned[0], durability);
    request.completeBy(completion.of(() -> {
      request.await();
      return null;
    }));
    shards.submit(concerned[0], request);
    return completion;
  }

  private void submitInOrder(
      int[] concerned, Transaction transaction, SplitBatch split, Completion<?> completion) {
    try {
      shards.submitInOrder(concerned, transaction::part, admission(split, transaction));
    } catch (RuntimeException e) {
      // Nothing was submitted, and the caller gets the exception.
      completion.abandon();
      throw e;
    }
  }

  private SplitBatch split(WriteBatch batch, Durability durability) {
    Objects.requireNonNull(batch, "batch");
    Objects.requireNonNull(durability, "durability");
    shards.checkWrites();
    SplitBatch split = new SplitBatch(this, shards.router(), batch);
    split.check();
    return split;
  }

  /** Creates the request that writes a batch to its only shard. */
  private static CallRequest<Boolean> writeOf(SplitBatch split, int shard, Durability durability) {
    return new CallRequest<>(Request.Access.WRITES, store -> {
      store.write(split.part(shard), durability);
      return true;
    });
  }

  private static void checkLength(WriteBatch batch) {
    if (batch.byteCount() > KvStore.MAX_VALUE_BYTES - MARK_BYTES_MAX) {
      throw new InvalidEntryException("the cross-shard batch has " + batch.byteCount()
          + " bytes of keys and values; at most " + (KvStore.MAX_VALUE_BYTES - MARK_BYTES_MAX)
          + " are allowed; split the batch");
    }
  }

  private Transaction transaction(WriteBatch batch, SplitBatch split, Durability durability) {
    checkLength(batch);
    return protocol.begin(batch, split, durability);
  }

  @Override
  public Snapshot snapshot() {
    shards.checkReads();
    SnapshotBarrier<Snapshot> barrier = shards.runTogether(
        new SnapshotBarrier<>(shards.all(), (shard, store) -> store.snapshot()),
        shards::checkReads);
    Throwable failure = barrier.failure();
    if (failure != null) {
      barrier.results().forEach(Snapshot::close);
      throw Request.rethrown(failure);
    }
    return new ShardedSnapshot(this, shards.router(), barrier.results());
  }

  /**
   * {@inheritDoc}
   *
   * @throws InvalidEntryException also for {@value ShardMark#KEYSPACE}, which the shards use
   */
  @Override
  public Keyspace keyspace(String name) {
    EntryLimits.checkKeyspaceName(name);
    if (name.equals(ShardMark.KEYSPACE)) {
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
    return new ShardedKeyspace(this, shards, name, made.get());
  }

  @Override
  public Set<String> keyspaceNames() {
    shards.checkReads();
    Set<String> names = new TreeSet<>(shards.store(0).keyspaceNames());
    names.remove(ShardMark.KEYSPACE);
    return names;
  }

  @Override
  public void dropKeyspace(String name) {
    Objects.requireNonNull(name, "name");
    shards.checkWrites();
    if (name.equals(ShardMark.KEYSPACE)) {
      throw new NoSuchKeyspaceException(name);
    }
    handles.compute(name, (same, handle) -> {
      shards.runExclusively(() -> dropEverywhere(name, handle), shards::checkWrites);
      return null;
    });
  }

  /**
   * Drops a keyspace, first in shard 0: from then on, it does not exist. All workers are stopped,
   * so no caller sees the time between.
   */
  private void dropEverywhere(String name, @Nullable ShardedKeyspace handle) {
    protocol.beforeDrop();
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

  @Override
  public void sync() {
    onEveryShard(KvStore::sync);
  }

  @Override
  public void flush() {
    onEveryShard(KvStore::flush);
  }

  /** Settles one shard after the other, in the calling thread, so that workers stay free. */
  @Override
  public void settle() {
    flush();
    for (int shard : shards.all()) {
      shards.store(shard).settle();
    }
  }

  /** Collects one shard after the other, in the calling thread, so that workers stay free. */
  @Override
  public long collect() {
    shards.checkWrites();
    long freed = 0;
    for (int shard : shards.all()) {
      freed += shards.store(shard).collect();
    }
    return freed;
  }

  /**
   * Runs an action on all shards at the same time, by their workers, after all acknowledged writes.
   */
  private void onEveryShard(Consumer<KvStore> action) {
    shards.checkWrites();
    List<CallRequest<Boolean>> requests = new ArrayList<>();
    for (int shard : shards.all()) {
      CallRequest<Boolean> request = new CallRequest<>(Request.Access.WRITES, store -> {
        action.accept(store);
        return true;
      });
      requests.add(request);
      shards.submit(shard, request);
    }
    requests.forEach(CallRequest::result);
  }

  @Override
  public Stats stats() {
    shards.checkReads();
    List<Stats> all = new ArrayList<>();
    for (int shard : shards.all()) {
      all.add(shards.store(shard).stats());
    }
    return new SummedStats(all, protocol.marksWritten()).sum(openSnapshots.get());
  }

  /** Verifies one shard after the other, in the calling thread, so that workers stay free. */
  @Override
  public VerifyReport verify(VerifyListener listener) {
    Objects.requireNonNull(listener, "listener");
    shards.checkReads();
    ShardsVerification verification = new ShardsVerification(shards.count(), listener);
    for (int shard : shards.all()) {
      verification.add(shard, shards.store(shard));
    }
    return verification.report();
  }

  /**
   * Returns the health of the shard in the worst state, or of the shards as a whole if that is
   * worse.
   */
  @Override
  public StoreHealth health() {
    shards.checkOpen();
    StoreHealth worst = shards.health().picture();
    for (int shard : shards.all()) {
      StoreHealth one = shards.store(shard).health();
      if (one.state().compareTo(worst.state()) > 0) {
        worst = one.ofShard(shard);
      }
    }
    return worst;
  }

  @Override
  public void resume() {
    shards.checkOpen();
    shards.stores().forEach(KvStore::resume);
  }

  /** Returns how many requests were served as one since the store was opened, over all shards. */
  public BatchSizes batchSizes() {
    BatchSizes sum = new BatchSizes(List.of(), List.of(), 0);
    for (int shard : shards.all()) {
      sum = sum.plus(shards.worker(shard).sizes());
    }
    return sum;
  }

  /** The number of shards. */
  public int shardCount() {
    return shards.count();
  }

  @Override
  public AsyncStore async() {
    shards.checkOpen();
    return async;
  }

  @Override
  public boolean isClosed() {
    return shards.isClosed();
  }

  @Override
  public void close() {
    shards.close();
  }
}
