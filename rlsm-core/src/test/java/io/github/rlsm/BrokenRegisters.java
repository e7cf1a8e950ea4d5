// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.ModelStore;
import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.kv.WriteBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Stores that are not linearizable, each for one reason. Each misbehaves in many calls. */
@SuppressWarnings("ImmutableEnumChecker") // the suppliers are immutable, but not marked so
enum BrokenRegisters {
  /** Some reads return a value that was replaced long ago. */
  STALE_READ(StaleReads::new),
  /** Some writes are acknowledged but never applied. */
  LOST_UPDATE(LosesUpdates::new),
  /** Some writes become visible, then fail and disappear. */
  VANISHING_WRITE(VanishingWrites::new),
  /** A compare-and-set compares, and sets in a later step. */
  TWO_STEPS(TwoSteps::new);

  private static final int WRONG_EVERY = 4;
  private static final int PAUSES = 100;
  private static final long PAUSE_NANOS = 20_000;

  private final Supplier<ModelStore> store;

  BrokenRegisters(Supplier<ModelStore> store) {
    this.store = store;
  }

  /** Returns a new store with this bug. */
  ModelStore open() {
    return store.get();
  }

  /** Counts calls, to misbehave in some of them. */
  private abstract static class Broken extends ModelStore {

    private final AtomicInteger calls = new AtomicInteger();

    boolean doesWrong() {
      return calls.incrementAndGet() % WRONG_EVERY == 0;
    }

    /** Lets other threads run until a condition holds. Gives up after a number of pauses. */
    static void pauseUntil(BooleanSupplier condition) {
      for (int i = 0; i < PAUSES && !condition.getAsBoolean(); i++) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private static final class StaleReads extends Broken {

    private static final int AGE = 30;

    /** The last values of each key, the oldest first. */
    private final Map<ByteBuffer, Deque<byte[]>> past = new HashMap<>();

    @Override
    public byte @Nullable [] get(byte[] key) {
      synchronized (past) {
        byte[] now = super.get(key);
        Deque<byte[]> values =
            past.computeIfAbsent(ByteBuffer.wrap(key.clone()), k -> new ArrayDeque<>());
        if (now != null && !Arrays.equals(now, values.peekLast())) {
          values.add(now);
        }
        return values.size() > AGE && doesWrong() ? values.removeFirst() : now;
      }
    }
  }

  private static final class LosesUpdates extends Broken {

    @Override
    public void put(byte[] key, byte[] value, Durability durability) {
      if (!doesWrong()) {
        super.put(key, value, durability);
      }
    }

    @Override
    public void write(WriteBatch batch, Durability durability) {
      if (!doesWrong()) {
        super.write(batch, durability);
      }
    }
  }

  private static final class VanishingWrites extends Broken {

    /** Values that will disappear. */
    private final Map<ByteBuffer, byte[]> doomed = new ConcurrentHashMap<>();

    private final Set<ByteBuffer> read = ConcurrentHashMap.newKeySet();

    @Override
    public byte @Nullable [] get(byte[] key) {
      ByteBuffer name = ByteBuffer.wrap(key.clone());
      byte[] value = doomed.get(name);
      if (value == null) {
        return super.get(key);
      }
      read.add(name);
      return value;
    }

    @Override
    public void put(byte[] key, byte[] value, Durability durability) {
      ByteBuffer name = ByteBuffer.wrap(key.clone());
      if (!doesWrong() || doomed.putIfAbsent(name, value) != null) {
        super.put(key, value, durability);
        return;
      }
      read.remove(name);
      pauseUntil(() -> read.contains(name));
      doomed.remove(name);
      throw new StoreIoException("put", "a disk that fails", new IOException("planned"));
    }
  }

  private static final class TwoSteps extends Broken {

    @Override
    public boolean compareAndSet(
        byte[] key,
        byte @Nullable [] expected,
        byte @Nullable [] replacement,
        Durability durability) {
      boolean equal = Arrays.equals(get(key), expected);
      if (equal) {
        pauseUntil(() -> !Arrays.equals(get(key), expected));
      }
      if (equal && replacement != null) {
        put(key, replacement, durability);
      } else if (equal) {
        delete(key, durability);
      }
      return equal;
    }
  }
}
