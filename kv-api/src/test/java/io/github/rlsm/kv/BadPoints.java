// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Stores that break a promise about single keys. */
final class BadPoints {

  private BadPoints() {}

  static final class EmptyIsAbsent extends ModelStore {
    @Override
    public byte @Nullable [] get(byte[] key, int offset, int length) {
      byte[] value = super.get(key, offset, length);
      return value == null || value.length == 0 ? null : value;
    }
  }

  static final class SharesArrays extends ModelStore {
    private final Map<ByteBuffer, byte[]> shared = new HashMap<>();

    @Override
    public synchronized byte @Nullable [] get(byte[] key, int offset, int length) {
      byte[] value = super.get(key, offset, length);
      byte[] before = shared.get(ByteBuffer.wrap(key, offset, length));
      if (value == null || (before != null && before.length == value.length)) {
        return before;
      }
      shared.put(ByteBuffer.wrap(Arrays.copyOfRange(key, offset, offset + length)), value);
      return value;
    }
  }

  static final class KeepsArrays extends ModelStore {
    private byte @Nullable [] key;
    private byte @Nullable [] value;

    @Override
    public void put(byte[] key, byte[] value, Durability durability) {
      super.put(key, value, durability);
      this.key = key.clone();
      this.value = value;
    }

    @Override
    public KvIterator scan(ScanOptions options) {
      if (key != null && value != null) {
        super.put(key, value, Durability.OS);
      }
      return super.scan(options);
    }
  }

  static final class SortsAnswers extends ModelStore {
    @Override
    public List<byte @Nullable []> multiGet(List<byte[]> keys) {
      return super.multiGet(keys.stream().sorted(Arrays::compareUnsigned).toList());
    }
  }

  static final class ConsumesKeys extends ModelStore {
    @Override
    public byte @Nullable [] get(ByteBuffer key) {
      byte[] bytes = new byte[key.remaining()];
      key.get(bytes);
      return get(bytes);
    }
  }

  static final class NeedsRoom extends ModelStore {
    @Override
    public int get(byte[] key, int offset, int length, ByteBuffer destination) {
      byte[] value = get(key, offset, length);
      if (value == null) {
        return NOT_FOUND;
      }
      destination.put(value);
      return value.length;
    }
  }

  static final class CutsKeys extends ModelStore {
    @Override
    public void put(
        byte[] key,
        int keyOffset,
        int keyLength,
        byte[] value,
        int valueOffset,
        int valueLength,
        Durability durability) {
      int cut = Math.min(keyLength, MAX_KEY_BYTES);
      super.put(key, keyOffset, cut, value, valueOffset, valueLength, durability);
    }
  }

  static final class NullDeletes extends ModelStore {
    @Override
    public void put(byte[] key, byte @Nullable [] value, Durability durability) {
      if (value == null) {
        delete(key, durability);
      } else {
        super.put(key, value, durability);
      }
    }
  }

  static final class NullIsAny extends ModelStore {
    @Override
    public boolean compareAndSet(
        byte[] key,
        byte @Nullable [] expected,
        byte @Nullable [] replacement,
        Durability durability) {
      byte[] really = expected == null ? get(key) : expected;
      return super.compareAndSet(key, really, replacement, durability);
    }
  }

  static final class TwoStepSwap extends ModelStore {
    private final SnapshotBarrier meeting = new SnapshotBarrier();

    @Override
    public boolean compareAndSet(
        byte[] key,
        byte @Nullable [] expected,
        byte @Nullable [] replacement,
        Durability durability) {
      if (replacement == null || !Arrays.equals(get(key), expected)) {
        return false;
      }
      meeting.await();
      put(key, replacement, durability);
      return true;
    }
  }

  static final class TwoStepPut extends ModelStore {
    private final SnapshotBarrier meeting = new SnapshotBarrier();

    @Override
    public byte @Nullable [] putIfAbsent(byte[] key, byte[] value, Durability durability) {
      byte[] present = get(key);
      if (present == null) {
        meeting.await();
        put(key, value, durability);
      }
      return present;
    }
  }

  /** Blocks the first thread between its two steps until a second thread arrives. */
  private static final class SnapshotBarrier {
    private final CountDownLatch missing = new CountDownLatch(2);

    void await() {
      missing.countDown();
      Workers.await(missing);
    }
  }
}
