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
import io.github.rlsm.shard.worker.Request;
import io.github.rlsm.shard.worker.Shards;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store that distributes its keys over several stores, the shards. The hash of a key selects its
 * shard. One worker thread serves each shard and turns adjacent requests into batches.
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

  private final Shards shards;
  private final CommitProtocol protocol;
  private final long identitiesWritten;
  private final Durability defaultDurability;
  private final Keyspaces keyspaces;
  private final BatchWriter batches;
  private final ShardedAsyncStore async;

  /**
   * Creates a store over shards whose workers run.
   *
   * @param shards owned by the store from now on
   * @param protocol makes cross-shard batches atomic
   * @param identitiesWritten how many identities the opening has written
   * @param completions runs the callbacks of asynchronous calls
   */
  @SuppressWarnings("this-escape") // The parts only store the reference.
  public ShardedStore(
      Shards shards, CommitProtocol protocol, long identitiesWritten, Executor completions) {
    this.shards = shards;
    this.protocol = protocol;
    this.identitiesWritten = identitiesWritten;
    this.defaultDurability = shards.store(0).defaultDurability();
    this.keyspaces = new Keyspaces(this, shards);
    this.batches = new BatchWriter(shards, protocol, this::own);
    this.async = new ShardedAsyncStore(this, shards, this::own, batches, completions);
  }

  /** Returns the keyspace as a keyspace of this store; throws if it belongs to another store. */
  private ShardedKeyspace own(Keyspace keyspace) {
    return own(Objects.requireNonNull(keyspace, "keyspace"), ShardedKeyspace.class);
  }

  @Override
  protected Keyspace defaultKeyspace() {
    return keyspaces.defaults();
  }

  @Override
  public Durability defaultDurability() {
    return defaultDurability;
  }

  @Override
  public void write(WriteBatch batch, Durability durability) {
    batches.write(batch, durability);
  }

  @Override
  public Snapshot snapshot() {
    shards.checkReads();
    List<Snapshot> parts = shards.runTogether(
        shards.all(), (shard, store) -> store.snapshot(), shards::checkReads, Snapshot::close);
    return new ShardedSnapshot(shards, this::own, parts);
  }

  /**
   * {@inheritDoc}
   *
   * @throws InvalidEntryException also for {@value ShardIdentity#KEYSPACE}, which the shards use
   */
  @Override
  public Keyspace keyspace(String name) {
    return keyspaces.keyspace(name);
  }

  @Override
  public Set<String> keyspaceNames() {
    return keyspaces.names();
  }

  @Override
  public void dropKeyspace(String name) {
    keyspaces.drop(name, protocol::beforeDrop);
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
    List<Request.Call<Boolean>> requests = new ArrayList<>();
    for (int shard : shards.all()) {
      Request.Call<Boolean> request = new Request.Call<>(Request.Access.WRITES, store -> {
        action.accept(store);
        return true;
      });
      requests.add(request);
      shards.submit(shard, request);
    }
    requests.forEach(Request.Call::result);
  }

  @Override
  public Stats stats() {
    shards.checkReads();
    List<Stats> all = new ArrayList<>();
    for (int shard : shards.all()) {
      all.add(shards.store(shard).stats());
    }
    return new SummedStats(all, identitiesWritten + protocol.identitiesWritten())
        .sum(shards.openSnapshots());
  }

  /** Verifies one shard after the other, in the calling thread, so that workers stay free. */
  @Override
  public VerifyReport verify(VerifyListener listener) {
    Objects.requireNonNull(listener, "listener");
    shards.checkReads();
    Verification verification = new Verification(shards.count(), listener);
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
    StoreHealth worst = shards.health().storeHealth();
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
    return shards.batchSizes();
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

  /**
   * Verifies all shards and merges the results into one report.
   *
   * <p>Threads: one thread.
   */
  private static final class Verification {

    private final int shards;
    private final VerifyListener listener;
    private final List<VerifyReport.Damage> listed = new ArrayList<>();
    private int done;
    private long bytes;
    private long damageCount;

    Verification(int shards, VerifyListener listener) {
      this.shards = shards;
      this.listener = listener;
    }

    /** Verifies the next shard. */
    void add(int shard, KvStore store) {
      VerifyReport report = store.verify(new VerifyListener() {
        @Override
        public void progress(long read, long total) {
          // The remaining shards are assumed to be as large as this one.
          listener.progress(bytes + read, bytes + total * (shards - done));
        }

        @Override
        public void damaged(VerifyReport.Damage damage) {
          listener.damaged(damage.ofShard(shard));
        }
      });
      done++;
      bytes += report.bytesRead();
      damageCount += report.damageCount();
      report.damage().stream()
          .limit(VerifyReport.LISTED_MAX - listed.size())
          .map(damage -> damage.ofShard(shard))
          .forEach(listed::add);
    }

    VerifyReport report() {
      return new VerifyReport(bytes, damageCount, listed);
    }
  }

  /**
   * The keyspaces of a sharded store. A keyspace exists if shard 0 has it. It is created in shard 0
   * last and dropped there first, while all workers are stopped.
   *
   * <p>Threads: any.
   */
  private static final class Keyspaces {

    private final KvStore store;
    private final Shards shards;
    private final ShardedKeyspace defaults;
    private final Map<String, ShardedKeyspace> handles = new ConcurrentHashMap<>();

    /** Creates the default keyspace of a store over the shards. */
    Keyspaces(KvStore store, Shards shards) {
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
}
