// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.ModelStore;
import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.kv.WriteBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A model of another engine that keeps no more than its interface promises. After a crash, a random
 * prefix of the writes remains that contains all promised writes. Keyspaces are created and dropped
 * durably. The model does not track puts and deletes in a named keyspace outside of a batch; tests
 * make none.
 *
 * <p>Threads: as the model; its monitor also guards the states.
 */
final class PrefixStore extends ModelStore {

  /** All entries after each write, by keyspace. */
  private final List<Map<String, Map<ByteBuffer, byte[]>>> states = new ArrayList<>();

  private int safeFromKill;
  private int safeFromPowerLoss;
  private volatile boolean dead;
  private volatile Runnable observer = () -> {};

  /** Creates an empty store. */
  PrefixStore() {
    states.add(contents());
  }

  @SuppressWarnings("ByteBufferBackingArray") // Each buffer wraps a separate array.
  private PrefixStore(Map<String, Map<ByteBuffer, byte[]>> contents) {
    contents.forEach((name, entries) -> {
      Keyspace keyspace = name.isEmpty() ? this : super.keyspace(name);
      entries.forEach((key, value) -> keyspace.put(key.array(), value));
    });
    states.clear();
    safeFromKill = 0;
    safeFromPowerLoss = 0;
    states.add(contents());
  }

  private Map<String, Map<ByteBuffer, byte[]>> contents() {
    Map<String, Map<ByteBuffer, byte[]>> contents = new TreeMap<>();
    contents.put("", entries(this));
    super.keyspaceNames().forEach(name -> contents.put(name, entries(super.keyspace(name))));
    return contents;
  }

  private static Map<ByteBuffer, byte[]> entries(Keyspace keyspace) {
    Map<ByteBuffer, byte[]> entries = new TreeMap<>();
    try (KvIterator all = keyspace.scan()) {
      while (all.next()) {
        entries.put(ByteBuffer.wrap(all.key()), all.value());
      }
    }
    return entries;
  }

  void onEvent(Runnable newObserver) {
    observer = newObserver;
  }

  /** Makes all further calls throw. */
  void die() {
    dead = true;
  }

  /**
   * Returns a store with the content that survives a crash: all promised writes, and maybe more.
   */
  synchronized PrefixStore afterCrash(boolean powerLoss, RandomGenerator random) {
    int first = powerLoss ? safeFromPowerLoss : safeFromKill;
    int last = states.size() - 1;
    int left = switch (random.nextInt(4)) {
      case 0 -> first;
      case 1 -> last;
      default -> first + random.nextInt(last - first + 1);
    };
    PrefixStore survivor = new PrefixStore(states.get(left));
    if (!powerLoss) {
      // Writes that survive the process are not safe from a power loss yet.
      survivor.states.clear();
      states.subList(0, left + 1).forEach(state -> survivor.states.add(new TreeMap<>(state)));
      survivor.safeFromPowerLoss = safeFromPowerLoss;
      survivor.safeFromKill = left;
    }
    return survivor;
  }

  private void checkAlive(String operation) {
    if (dead) {
      throw new StoreIoException(operation, "the model", new IOException("the power is off"));
    }
  }

  private void wrote(Durability durability) {
    synchronized (this) {
      if (dead) {
        return;
      }
      states.add(contents());
      if (durability != Durability.BUFFERED) {
        safeFromKill = states.size() - 1;
      }
      if (durability == Durability.SYNC) {
        safeFromPowerLoss = safeFromKill;
      }
    }
    observer.run();
  }

  @Override
  public void write(WriteBatch batch, Durability durability) {
    observer.run();
    checkAlive("write");
    super.write(batch, durability);
    wrote(durability);
  }

  @Override
  public void put(
      byte[] key,
      int keyOffset,
      int keyLength,
      byte[] value,
      int valueOffset,
      int valueLength,
      Durability durability) {
    checkAlive("put");
    super.put(key, keyOffset, keyLength, value, valueOffset, valueLength, durability);
    wrote(durability);
  }

  @Override
  public void delete(byte[] key, int offset, int length, Durability durability) {
    checkAlive("delete");
    super.delete(key, offset, length, durability);
    wrote(durability);
  }

  @Override
  public boolean compareAndSet(
      byte[] key,
      byte @Nullable [] expected,
      byte @Nullable [] replacement,
      Durability durability) {
    checkAlive("exchange");
    boolean done = super.compareAndSet(key, expected, replacement, durability);
    if (done) {
      wrote(durability);
    }
    return done;
  }

  @Override
  public Keyspace keyspace(String name) {
    checkAlive("create");
    synchronized (this) {
      Keyspace keyspace = super.keyspace(name);
      states.forEach(state -> state.putIfAbsent(name, new TreeMap<>()));
      return keyspace;
    }
  }

  @Override
  public void dropKeyspace(String name) {
    observer.run();
    checkAlive("drop");
    synchronized (this) {
      super.dropKeyspace(name);
      states.forEach(state -> state.remove(name));
    }
    observer.run();
  }

  @Override
  public void sync() {
    checkAlive("sync");
    super.sync();
    synchronized (this) {
      safeFromKill = states.size() - 1;
      safeFromPowerLoss = safeFromKill;
    }
    observer.run();
  }

  @Override
  public void flush() {
    sync();
  }

  @Override
  public void close() {
    synchronized (this) {
      if (!dead) {
        safeFromKill = states.size() - 1;
        safeFromPowerLoss = safeFromKill;
      }
      super.close();
    }
  }

  /** Returns the same store, opened again after its close. */
  PrefixStore openedAgain() {
    synchronized (this) {
      return new PrefixStore(states.get(states.size() - 1));
    }
  }
}
