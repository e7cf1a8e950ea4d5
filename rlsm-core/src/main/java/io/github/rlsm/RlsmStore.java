// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.base.KeyspacePrefix;
import io.github.rlsm.engine.Engine;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.AsyncStore;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.EntryLimits;
import io.github.rlsm.kv.FormatVersionException;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvReader;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.NoSuchKeyspaceException;
import io.github.rlsm.kv.Snapshot;
import io.github.rlsm.kv.Stats;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.kv.StoreHealth;
import io.github.rlsm.kv.VerifyListener;
import io.github.rlsm.kv.VerifyReport;
import io.github.rlsm.kv.WriteBatch;
import io.github.rlsm.os.OsDirectory;
import io.github.rlsm.os.ShardDirectories;
import io.github.rlsm.read.SnapshotHandle;
import io.github.rlsm.thread.Environment;
import io.github.rlsm.thread.ShardThreads;
import io.github.rlsm.thread.ThreadScheduler;
import io.github.rlsm.version.KeyspaceCatalog;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A store without shards: one engine.
 *
 * <p>Threads: any, see {@link KvStore}.
 */
final class RlsmStore extends AbstractKeyspace implements KvStore {

  private final Durability defaultDurability;
  private final Map<String, NamedKeyspace> handles = new ConcurrentHashMap<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  private final RlsmAsyncStore async;

  /**
   * Creates a store over an engine. Closing the store closes the engine.
   *
   * @param completions runs forces and callbacks of asynchronous calls
   */
  RlsmStore(Engine engine, Durability defaultDurability, Executor completions) {
    super(engine, KeyspacePrefix.of(KeyspaceCatalog.DEFAULT_ID));
    this.defaultDurability = defaultDurability;
    this.async = new RlsmAsyncStore(KvStore.super.async(), engine::sync, completions);
  }

  /** Opens a store as {@link Rlsm#open(Path, RlsmOptions)} does, for options without shards. */
  static RlsmStore open(Path directory, RlsmOptions options) {
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(options, "options");
    EngineSettingsOf.compression(options).checkLibrary();
    StoreDirectory files = OsDirectory.create(directory);
    boolean isNew = !files.exists(StoreFileName.CURRENT) && !files.exists(StoreFileName.SHARDS);
    if (isNew && ShardDirectories.hasAny(directory)) {
      throw new FormatVersionException(
          directory.toString(),
          "it has directories of shards but no file SHARDS; restore the file, or choose another"
              + " directory");
    }
    RlsmStore store = new RlsmStore(
        Engine.open(files, EngineSettingsOf.options(options), environment(directory, options)),
        options.defaultDurability(),
        new ShardThreads(threadPrefix(directory), options.backgroundThreads()));
    try {
      dropShards(directory, files);
    } catch (RuntimeException | Error e) {
      store.close();
      throw e;
    }
    return store;
  }

  /**
   * Deletes shard directories that a resharding left behind. The file {@code SHARDS} does not
   * exist, or the store would not have been opened. Its removal must be durable first; otherwise a
   * power loss could restore the file without the shards.
   */
  private static void dropShards(Path directory, StoreDirectory files) {
    if (ShardDirectories.hasAny(directory)) {
      files.syncDirectory();
      ShardDirectories.keepOnly(directory, 0);
    }
  }

  /** Returns the prefix of the names of a store's threads. */
  static String threadPrefix(Path directory) {
    return "rlsm-" + directory.getFileName();
  }

  static Environment environment(Path directory, RlsmOptions options) {
    return new Environment(
        System::nanoTime,
        new SecureRandom(),
        new ThreadScheduler(threadPrefix(directory), options.backgroundThreads()));
  }

  /**
   * As {@link #open(Path, RlsmOptions)}, in any kind of directory and environment. The calling
   * thread does all of an asynchronous call.
   */
  static RlsmStore open(StoreDirectory files, RlsmOptions options, Environment environment) {
    return new RlsmStore(
        Engine.open(files, EngineSettingsOf.options(options), environment),
        options.defaultDurability(),
        Runnable::run);
  }

  @Override
  public String name() {
    return "";
  }

  @Override
  public KvStore store() {
    return this;
  }

  @Override
  public Durability defaultDurability() {
    return defaultDurability;
  }

  @Override
  void check() {
    if (closed.get()) {
      throw new StoreClosedException("store");
    }
  }

  /** Returns the keyspace, checked to belong to this store. */
  AbstractKeyspace own(Keyspace keyspace) {
    if (keyspace == this || (keyspace instanceof NamedKeyspace named && named.store == this)) {
      return (AbstractKeyspace) keyspace;
    }
    throw new IllegalArgumentException("keyspace \"" + keyspace.name()
        + "\" belongs to another store; use a keyspace of this one");
  }

  @Override
  public void write(WriteBatch batch, Durability durability) {
    Objects.requireNonNull(batch, "batch");
    Objects.requireNonNull(durability, "durability");
    check();
    UserBatch resolved = new UserBatch(batch, this);
    resolved.check();
    engine().write(resolved, durability);
  }

  @Override
  public Snapshot snapshot() {
    check();
    return new StoreSnapshot(this, engine().snapshot());
  }

  @Override
  public Keyspace keyspace(String name) {
    EntryLimits.checkKeyspaceName(name);
    check();
    NamedKeyspace known = handles.get(name);
    if (known != null) {
      return known;
    }
    return handles.computeIfAbsent(
        name, missing -> new NamedKeyspace(this, missing, engine().keyspace(missing)));
  }

  @Override
  public Set<String> keyspaceNames() {
    check();
    return new TreeSet<>(engine().keyspaces().names().values());
  }

  @Override
  public void dropKeyspace(String name) {
    Objects.requireNonNull(name, "name");
    check();
    handles.compute(name, (key, handle) -> {
      OptionalInt id = engine().keyspaces().id(name);
      if (id.isEmpty()) {
        throw new NoSuchKeyspaceException(name);
      }
      engine().dropKeyspace(id.getAsInt());
      if (handle != null) {
        handle.dropped = true;
      }
      return null;
    });
  }

  @Override
  public void sync() {
    check();
    engine().sync();
  }

  @Override
  public void flush() {
    check();
    engine().flush();
  }

  /**
   * Flushes, and waits until all idle-time maintenance is done. Afterwards level 0 is empty,
   * partitions hold little garbage, and files prepared for writers are deleted. Call it before
   * measurements, and before copying the directory. If other threads write during the call, it
   * returns once the maintenance of a busy store is done.
   */
  @Override
  public void settle() {
    check();
    engine().settle();
  }

  /**
   * Reclaims every value-log segment whose removal frees space, even if
   * {@link RlsmOptions.Builder#maxSpaceAmplification} is met. Relocates the live values of these
   * segments.
   */
  @Override
  public long collect() {
    check();
    return engine().collect();
  }

  /**
   * Reads and checks the manifest, every table, every value that a table points to, and the log of
   * the data in memory. Compares the accounts of the value log with the tables. Skips bytes that no
   * read of the store can reach, such as overwritten values.
   *
   * <p>Reads use the page cache. Drop the cache first to read all bytes from the device. The check
   * pins the store's current files, like a snapshot.
   */
  @Override
  public VerifyReport verify(VerifyListener listener) {
    Objects.requireNonNull(listener, "listener");
    check();
    return engine().verify(listener);
  }

  @Override
  public AsyncStore async() {
    check();
    return async;
  }

  @Override
  public Stats stats() {
    check();
    return engine().stats();
  }

  @Override
  public StoreHealth health() {
    check();
    return engine().health();
  }

  @Override
  public void resume() {
    check();
    engine().resume();
  }

  @Override
  public boolean isClosed() {
    return closed.get();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      async.close();
      engine().close();
    }
  }

  /** A keyspace with a name. Unusable after it was dropped. Threads: any. */
  private static final class NamedKeyspace extends AbstractKeyspace {

    private final RlsmStore store;
    private final String name;
    private final int id;
    private volatile boolean dropped;

    NamedKeyspace(RlsmStore store, String name, int id) {
      super(store.engine(), KeyspacePrefix.of(id));
      this.store = store;
      this.name = name;
      this.id = id;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public KvStore store() {
      return store;
    }

    @Override
    void check() {
      store.check();
      if (dropped) {
        throw new NoSuchKeyspaceException(name);
      }
    }
  }

  /** A snapshot of the whole store. Threads: any. */
  private static final class StoreSnapshot extends KeyspaceView implements Snapshot {

    /**
     * The prefix of the highest keyspace id. No store ever assigns the id, so the prefix has no
     * entries.
     */
    private static final byte[] NO_KEYSPACE = KeyspacePrefix.of(KeyspacePrefix.ID_MAX);

    private final RlsmStore store;
    private final SnapshotHandle handle;

    StoreSnapshot(RlsmStore store, SnapshotHandle handle) {
      super(store.engine(), store.prefix(), handle);
      this.store = store;
      this.handle = handle;
    }

    @Override
    void check() {
      store.check();
      if (handle.isReleased()) {
        throw new StoreClosedException("snapshot");
      }
    }

    private KeyspaceView view(byte[] prefix) {
      return new KeyspaceView(store.engine(), prefix, handle) {
        @Override
        void check() {
          StoreSnapshot.this.check();
        }
      };
    }

    @Override
    public KvReader in(Keyspace keyspace) {
      Objects.requireNonNull(keyspace, "keyspace");
      check();
      AbstractKeyspace own = store.own(keyspace);
      if (own instanceof NamedKeyspace named && handle.isDropped(named.id)) {
        return view(NO_KEYSPACE);
      }
      return view(own.prefix());
    }

    @Override
    public void close() {
      store.engine().release(handle);
    }
  }
}
