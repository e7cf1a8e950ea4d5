// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.base.KeyspacePrefix;
import io.github.rlsm.engine.Engine;
import io.github.rlsm.engine.Environment;
import io.github.rlsm.engine.ThreadScheduler;
import io.github.rlsm.io.OsDirectory;
import io.github.rlsm.io.ShardDirectories;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.EntryLimits;
import io.github.rlsm.kv.FormatVersionException;
import io.github.rlsm.kv.InvalidOptionsException;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.NoSuchKeyspaceException;
import io.github.rlsm.kv.Snapshot;
import io.github.rlsm.kv.Stats;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.kv.StoreHealth;
import io.github.rlsm.kv.VerifyListener;
import io.github.rlsm.kv.VerifyReport;
import io.github.rlsm.kv.WriteBatch;
import io.github.rlsm.version.KeyspaceCatalog;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The embedded store. One process at a time has a directory open; within it, any number of threads
 * use one store.
 *
 * <pre>{@code
 * try (RlsmStore store = RlsmStore.open(Path.of("data"), RlsmOptions.defaults())) {
 *   store.put(key, value);
 *   byte[] found = store.get(key);
 * }
 * }</pre>
 *
 * <p>A store of several shards is opened by {@link RlsmStores}.
 *
 * <p>Threads: any, see {@link KvStore}.
 */
public final class RlsmStore extends AbstractKeyspace implements KvStore {

  private final Durability defaultDurability;
  private final Map<String, NamedKeyspace> handles = new ConcurrentHashMap<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  /** A store over an engine, which it closes. */
  RlsmStore(Engine engine, Durability defaultDurability) {
    super(engine, KeyspacePrefix.of(KeyspaceCatalog.DEFAULT_ID));
    this.defaultDurability = defaultDurability;
  }

  /**
   * Opens the store in a directory, and makes directory and store if they are not there. After a
   * crash this recovers what was promised; how long it takes depends on what had not been flushed,
   * at most a few log segments, not on the size of the store.
   *
   * @throws io.github.rlsm.kv.StoreLockedException if the directory is in use
   * @throws io.github.rlsm.kv.FormatVersionException if the directory holds something else, or a
   *     store of a newer format
   * @throws InvalidOptionsException if the options do not fit the store on disk, ask for shards, or
   *     need a library that is not on the class path
   * @throws io.github.rlsm.kv.CorruptionException if what is on disk is damaged
   * @throws io.github.rlsm.kv.StoreIoException if the system refuses, for one for want of
   *     permission
   */
  public static RlsmStore open(Path directory, RlsmOptions options) {
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(options, "options");
    if (options.shards() > 0) {
      throw new InvalidOptionsException(List.of("shards is " + options.shards()
          + ": RlsmStores.open opens a store of several, RlsmStore.open one without"));
    }
    options.compression().checkLibrary();
    StoreDirectory files = OsDirectory.create(directory);
    boolean isNew = !files.exists(StoreFileName.CURRENT) && !files.exists(StoreFileName.SHARDS);
    if (isNew && ShardDirectories.hasAny(directory)) {
      throw new FormatVersionException(
          directory.toString(), "it has shards of a store, but no SHARDS: no store is made here");
    }
    RlsmStore store = open(files, options, environment(directory, options));
    try {
      dropShards(directory, files);
    } catch (RuntimeException | Error e) {
      store.close();
      throw e;
    }
    return store;
  }

  /**
   * What a resharding has left. The store has no file {@code SHARDS}, or it would not have been
   * opened; that must be durable first, or a power loss could bring it back.
   */
  private static void dropShards(Path directory, StoreDirectory files) {
    if (ShardDirectories.hasAny(directory)) {
      files.syncDirectory();
      ShardDirectories.keepOnly(directory, 0);
    }
  }

  static Environment environment(Path directory, RlsmOptions options) {
    Path name = directory.getFileName();
    return new Environment(
        System::nanoTime,
        new SecureRandom(),
        new ThreadScheduler("rlsm-" + name, options.backgroundThreads()));
  }

  /** As {@link #open(Path, RlsmOptions)}, in any kind of directory and environment. */
  static RlsmStore open(StoreDirectory files, RlsmOptions options, Environment environment) {
    return new RlsmStore(
        Engine.open(files, EngineSettingsOf.options(options), environment),
        options.defaultDurability());
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

  /** The keyspace as one of this store's own. */
  AbstractKeyspace own(Keyspace keyspace) {
    if (keyspace == this || (keyspace instanceof NamedKeyspace named && named.store() == this)) {
      return (AbstractKeyspace) keyspace;
    }
    throw new IllegalArgumentException(
        "keyspace \"" + keyspace.name() + "\" belongs to another store");
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
    return new RlsmSnapshot(this, engine().lease());
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
        name, missing -> new NamedKeyspace(this, engine(), missing, engine().keyspace(missing)));
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
        handle.drop();
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
   * Flushes, and returns once everything is done that a store does when nobody writes: level 0 is
   * empty, partitions hold little that is dead, and files that were kept ready for writers are
   * gone. For measurements, and before a copy of the directory is taken. If others write meanwhile,
   * it returns once what a busy store does is done.
   */
  @Override
  public void settle() {
    check();
    engine().settle();
  }

  /**
   * Frees every segment of the value log that gives space back, whatever
   * {@link RlsmOptions.Builder#maxSpaceAmplification} allows: values that are still current in it
   * are moved. What a snapshot needs stays until that is closed.
   *
   * @return bytes of segments freed meanwhile, less the bytes written for it
   * @throws io.github.rlsm.kv.CorruptionException if a segment is damaged; it stays, what could be
   *     read before still can, and all others were collected
   */
  public long collect() {
    check();
    return engine().collect();
  }

  /**
   * Reads the manifest, every table, every value that a table points to and the log that memory is
   * filled from, and checks them. Compares the accounts of the value log with the tables. Bytes
   * that no read of the store can come to are left out, such as overwritten values.
   *
   * <p>Bytes in the page cache are read from there. To have all bytes read from the device, drop
   * the cache first. The store keeps its present files until the check ends, as for a snapshot.
   */
  @Override
  public VerifyReport verify(VerifyListener listener) {
    Objects.requireNonNull(listener, "listener");
    check();
    return engine().verify(listener);
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
      engine().close();
    }
  }
}
