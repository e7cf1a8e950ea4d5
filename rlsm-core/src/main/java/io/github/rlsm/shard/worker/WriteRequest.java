// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.worker;

import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.WriteBatch;
import org.jspecify.annotations.Nullable;

/** A put or delete of one key. Threads: see {@link Request}. */
public final class WriteRequest extends Request {

  private static final byte[] NOTHING = {};

  /** The value length of a delete. */
  private static final int DELETE = -1;

  private final Keyspace keyspace;
  private final byte[] key;
  private final int keyOffset;
  private final int keyLength;
  private final byte[] value;
  private final int valueOffset;
  private final int valueLength;
  private final Durability durability;

  /**
   * Creates a put.
   *
   * @param keyspace the keyspace in the shard's store
   */
  public WriteRequest(
      Keyspace keyspace,
      byte[] key,
      int keyOffset,
      int keyLength,
      byte[] value,
      int valueOffset,
      int valueLength,
      Durability durability) {
    this.keyspace = keyspace;
    this.key = key;
    this.keyOffset = keyOffset;
    this.keyLength = keyLength;
    this.value = value;
    this.valueOffset = valueOffset;
    this.valueLength = valueLength;
    this.durability = durability;
  }

  /** Creates a delete. */
  public static WriteRequest delete(
      Keyspace keyspace, byte[] key, int offset, int length, Durability durability) {
    return new WriteRequest(keyspace, key, offset, length, NOTHING, 0, DELETE, durability);
  }

  @Override
  Kind kind() {
    return Kind.WRITE;
  }

  @Override
  public Access access() {
    return Access.WRITES;
  }

  Durability durability() {
    return durability;
  }

  /** Returns the bytes of key and value. */
  long bytes() {
    return (long) keyLength + Math.max(0, valueLength);
  }

  /** Adds the write to a batch of the shard's store. */
  void addTo(WriteBatch batch) {
    if (valueLength == DELETE) {
      batch.delete(keyspace, key, keyOffset, keyLength);
    } else {
      batch.put(keyspace, key, keyOffset, keyLength, value, valueOffset, valueLength);
    }
  }

  @Override
  public void run(KvStore shard) {
    boolean twoSteps = isStaged() && durability == Durability.SYNC;
    try {
      write(twoSteps ? Durability.OS : durability);
      if (twoSteps) {
        visible();
        shard.sync();
      }
    } catch (RuntimeException e) {
      fail(e);
      return;
    }
    finish();
  }

  private void write(Durability first) {
    if (valueLength == DELETE) {
      keyspace.delete(key, keyOffset, keyLength, first);
    } else {
      keyspace.put(key, keyOffset, keyLength, value, valueOffset, valueLength, first);
    }
  }

  /** Waits for the end of the write. */
  @Nullable
  public Void result() {
    await();
    return null;
  }
}
