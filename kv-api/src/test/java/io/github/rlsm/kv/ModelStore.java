// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * An in-memory store that is simple enough to be verified by inspection: sorted maps under one
 * lock, copied on the first write after a snapshot or iterator shares them. Serves as the oracle
 * for other stores.
 *
 * <p>It writes no files, so all levels of {@link Durability} are equal. {@link #reopen()} simulates
 * a close and reopening of a directory.
 *
 * <p>Not final, so that tests can plant bugs in it.
 *
 * <p>Threads: as promised by {@link KvStore}; one monitor, this object's, guards everything.
 */
public class ModelStore extends AbstractKvStore {

  private final ModelKeyspace defaultKeyspace;
  private final Map<String, ModelKeyspace> named = new TreeMap<>();
  private final ModelCounters counters = new ModelCounters();
  private @Nullable ModelHistory history;
  private volatile boolean closed;

  /** Creates an empty store. */
  @SuppressWarnings("this-escape") // A keyspace only keeps the reference.
  public ModelStore() {
    defaultKeyspace = new ModelKeyspace(this, "", new ModelMap());
  }

  /** Creates a store with the content of a closed store. */
  @SuppressWarnings("this-escape") // A keyspace only keeps the reference.
  protected ModelStore(ModelStore before) {
    if (!before.closed) {
      throw new StoreLockedException("the model", "a store that is not closed");
    }
    defaultKeyspace = before.defaultKeyspace.movedTo(this);
    before.named.forEach((name, keyspace) -> named.put(name, keyspace.movedTo(this)));
    history = before.history; // Empty, since closing makes every write durable.
  }

  /**
   * Starts to record the values that writes replace, for {@link #fallBack}.
   *
   * @param partOf the part of the store that a key belongs to
   */
  void rememberWrites(ToIntFunction<byte[]> partOf) {
    history = new ModelHistory(partOf);
  }

  /** Returns the history of writes, if it is recorded; called with the monitor held. */
  @Nullable
  ModelHistory history() {
    return history;
  }

  /** Makes the changes of one write; called with the monitor held. */
  void change(Durability durability, Runnable changes) {
    if (history == null) {
      changes.run();
    } else {
      history.begin();
      changes.run();
      history.acknowledged(durability);
    }
  }

  private void allSafe() {
    if (history != null) {
      history.allSafe();
    }
  }

  /**
   * Rolls back the fewest writes that explain the content after a crash.
   *
   * @param factory defines the number of parts of the store, and the part of each key
   * @param found the entries of each keyspace by its name, as {@link Side#contents} returns them
   * @throws AssertionError if no state that the crash may leave holds exactly the content found
   */
  synchronized void fallBack(
      StoreFactory factory,
      StoreFactory.Crash crash,
      Map<String, Map<ByteBuffer, ByteBuffer>> found) {
    Map<String, ModelKeyspace> keyspaces = new TreeMap<>(named);
    keyspaces.put("", defaultKeyspace);
    if (!keyspaces.keySet().equals(found.keySet())) {
      throw new AssertionError(
          "keyspaces after " + crash + ": " + found.keySet() + ", not " + keyspaces.keySet());
    }
    Objects.requireNonNull(history, "rememberWrites() was not called")
        .fallBack(
            crash,
            factory.parts(),
            part -> keyspaces.entrySet().stream()
                .allMatch(keyspace -> partOf(keyspace.getValue().entries().toMap(), part, factory)
                    .equals(partOf(found.get(keyspace.getKey()), part, factory))));
  }

  private static Map<ByteBuffer, ByteBuffer> partOf(
      Map<ByteBuffer, ByteBuffer> entries, int part, StoreFactory factory) {
    if (factory.parts() == 1) {
      return entries;
    }
    Map<ByteBuffer, ByteBuffer> own = new HashMap<>(entries);
    own.keySet().removeIf(key -> factory.partOf(Buffers.toArray(key, "key")) != part);
    return own;
  }

  /**
   * Returns a store with this store's content at its close, as if a directory were opened again.
   *
   * @throws StoreLockedException if this store is not closed
   */
  public ModelStore reopen() {
    return new ModelStore(this);
  }

  ModelCounters counters() {
    return counters;
  }

  void checkOpen() {
    if (closed) {
      throw new StoreClosedException("store");
    }
  }

  /** Casts a keyspace passed in by a caller to the keyspace type of this store. */
  ModelKeyspace own(@Nullable Keyspace keyspace) {
    return own(keyspace, ModelKeyspace.class);
  }

  @Override
  protected Keyspace defaultKeyspace() {
    return defaultKeyspace;
  }

  @Override
  public Durability defaultDurability() {
    return Durability.OS;
  }

  @Override
  public void write(WriteBatch batch, Durability durability) {
    Objects.requireNonNull(batch, "batch");
    Objects.requireNonNull(durability, "durability");
    synchronized (this) {
      checkOpen();
      List<Runnable> changes = new ArrayList<>(batch.count());
      batch.forEach(new WriteBatch.Visitor() {
        @Override
        public void put(
            @Nullable Keyspace keyspace,
            byte[] bytes,
            int keyOffset,
            int keyLength,
            int valueOffset,
            int valueLength) {
          byte[] key = Copies.key(bytes, keyOffset, keyLength);
          change(keyspace, key, Copies.value(bytes, valueOffset, valueLength));
        }

        @Override
        public void delete(
            @Nullable Keyspace keyspace, byte[] bytes, int keyOffset, int keyLength) {
          change(keyspace, Copies.key(bytes, keyOffset, keyLength), null);
        }

        private void change(@Nullable Keyspace keyspace, byte[] key, byte @Nullable [] value) {
          ModelKeyspace own = own(keyspace);
          own.entries();
          changes.add(() -> own.set(key, value));
        }
      });
      change(durability, () -> changes.forEach(Runnable::run));
    }
  }

  @Override
  public Snapshot snapshot() {
    synchronized (this) {
      checkOpen();
      return new ModelSnapshot(this, defaultKeyspace, named.values());
    }
  }

  @Override
  public Keyspace keyspace(String name) {
    EntryLimits.checkKeyspaceName(name);
    synchronized (this) {
      checkOpen();
      return named.computeIfAbsent(name, key -> new ModelKeyspace(this, name, new ModelMap()));
    }
  }

  @Override
  public Set<String> keyspaceNames() {
    synchronized (this) {
      checkOpen();
      return Set.copyOf(named.keySet());
    }
  }

  @Override
  public void dropKeyspace(String name) {
    Objects.requireNonNull(name, "name");
    synchronized (this) {
      checkOpen();
      ModelKeyspace dropped = named.remove(name);
      if (dropped == null) {
        throw new NoSuchKeyspaceException(name);
      }
      dropped.drop();
    }
  }

  @Override
  public void sync() {
    synchronized (this) {
      checkOpen();
      allSafe();
    }
  }

  @Override
  public void flush() {
    sync();
  }

  @Override
  public Stats stats() {
    synchronized (this) {
      checkOpen();
      long liveBytes = defaultKeyspace.entries().byteCount();
      for (ModelKeyspace keyspace : named.values()) {
        liveBytes += keyspace.entries().byteCount();
      }
      return counters.toStats(liveBytes);
    }
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      allSafe();
    }
  }
}
