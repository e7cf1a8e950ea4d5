// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Stores that break a promise about batches, keyspaces, snapshots, close or counting. */
final class BadStores {

  private BadStores() {}

  static class BatchInSteps extends ModelStore {

    /** Runs after each step of a batch. */
    void afterStep(WriteBatch batch) {}

    @Override
    public void write(WriteBatch batch, Durability durability) {
      batch.forEach(new WriteBatch.Visitor() {
        @Override
        public void put(
            @Nullable Keyspace keyspace,
            byte[] bytes,
            int keyOffset,
            int keyLength,
            int valueOffset,
            int valueLength) {
          step(new WriteBatch()
              .put(keyspace, bytes, keyOffset, keyLength, bytes, valueOffset, valueLength));
        }

        @Override
        public void delete(
            @Nullable Keyspace keyspace, byte[] bytes, int keyOffset, int keyLength) {
          step(new WriteBatch().delete(keyspace, bytes, keyOffset, keyLength));
        }

        private void step(WriteBatch one) {
          BatchInSteps.super.write(one, durability);
          afterStep(batch);
        }
      });
    }
  }

  /** Writers exclude each other, but readers run between two steps of a batch. */
  static final class BatchSeenInSteps extends BatchInSteps {
    private static final int MANY = 10;
    private final Object writers = new Object();
    private final CountDownLatch betweenSteps = new CountDownLatch(1);
    private final CountDownLatch read = new CountDownLatch(1);
    private volatile boolean first = true;

    @Override
    public void write(WriteBatch batch, Durability durability) {
      synchronized (writers) {
        super.write(batch, durability);
        first &= batch.count() < MANY; // Readers start after the first long batch.
      }
    }

    @Override
    void afterStep(WriteBatch batch) {
      if (!first && batch.count() >= MANY) {
        betweenSteps.countDown();
        Workers.await(read);
      }
    }

    @Override
    public List<byte @Nullable []> multiGet(List<byte[]> keys) {
      if (!first) {
        Workers.await(betweenSteps);
      }
      List<byte @Nullable []> values = super.multiGet(keys);
      read.countDown();
      return values;
    }
  }

  static final class KeepsDropped extends ModelStore {
    private final Map<String, List<byte[]>> kept = new HashMap<>();

    @Override
    public synchronized void dropKeyspace(String name) {
      Keyspace doomed = keyspaceNames().contains(name) ? keyspace(name) : null;
      List<byte[]> entries = doomed == null ? List.of() : Side.scan(doomed, ScanOptions.all());
      super.dropKeyspace(name);
      kept.put(name, entries);
    }

    @Override
    public synchronized Keyspace keyspace(String name) {
      Keyspace keyspace = super.keyspace(name);
      List<byte[]> entries = kept.getOrDefault(name, List.of());
      for (int i = 0; i < entries.size(); i += 2) {
        keyspace.put(entries.get(i), entries.get(i + 1));
      }
      kept.remove(name);
      return keyspace;
    }
  }

  static final class OneForAll extends ModelStore {
    @Override
    public Keyspace keyspace(String name) {
      super.keyspace(name);
      return super.keyspace("one");
    }
  }

  static final class LiveSnapshots extends ModelStore {
    @Override
    public Snapshot snapshot() {
      return new BadSnapshot(super.snapshot()) {
        @Override
        public byte @Nullable [] get(byte[] key, int offset, int length) {
          return LiveSnapshots.this.get(key, offset, length);
        }
      };
    }
  }

  static final class SurvivingSnapshots extends ModelStore {
    @Override
    public Snapshot snapshot() {
      return new BadSnapshot(super.snapshot()) {
        @Override
        public byte @Nullable [] get(byte[] key, int offset, int length) {
          return isClosed() ? null : super.get(key, offset, length);
        }
      };
    }
  }

  private static class BadSnapshot implements Snapshot {

    private final Snapshot real;

    BadSnapshot(Snapshot real) {
      this.real = real;
    }

    @Override
    public byte @Nullable [] get(byte[] key, int offset, int length) {
      return real.get(key, offset, length);
    }

    @Override
    public List<byte @Nullable []> multiGet(List<byte[]> keys) {
      return real.multiGet(keys);
    }

    @Override
    public KvIterator scan(ScanOptions options) {
      return real.scan(options);
    }

    @Override
    public KvReader in(Keyspace keyspace) {
      return real.in(keyspace);
    }

    @Override
    public void close() {
      real.close();
    }
  }

  static final class LosesLastPut extends ModelStore {
    private byte @Nullable [] last;

    @Override
    public void put(byte[] key, byte[] value, Durability durability) {
      super.put(key, value, durability);
      last = key.clone();
    }

    @Override
    public void close() {
      if (!isClosed() && last != null) {
        delete(last);
      }
      super.close();
    }
  }

  static final class LosesKeyspaces extends ModelStore {
    @Override
    public void close() {
      if (!isClosed()) {
        keyspaceNames().forEach(this::dropKeyspace);
      }
      super.close();
    }
  }

  static final class EatsInterrupts extends ModelStore {
    @Override
    public void sync() {
      super.sync();
      Thread.interrupted();
    }
  }

  static final class CountsNothing extends ModelStore {
    @Override
    public Stats stats() {
      Stats real = super.stats();
      return new Stats(
          new Stats.Writes(0, 0, Map.of(), 0, 0),
          real.reads(),
          real.space(),
          real.stalls(),
          real.failures(),
          real.resources());
    }
  }
}
