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
  private final Durability durability;

  // Set before the request is submitted.
  private byte[] key = NOTHING;
  private int keyOffset;
  private int keyLength;
  private byte[] value = NOTHING;
  private int valueOffset;
  private int valueLength = DELETE;

  /**
   * Creates a write, which needs a {@link #key}. It is a delete unless it gets a {@link #value}.
   *
   * @param keyspace the keyspace in the shard's store
   */
  public WriteRequest(Keyspace keyspace, Durability durability) {
    this.keyspace = keyspace;
    this.durability = durability;
  }

  /** Sets the key. */
  public WriteRequest key(byte[] bytes, int offset, int length) {
    key = bytes;
    keyOffset = offset;
    keyLength = length;
    return this;
  }

  /** Makes the write a put of a value. */
  public WriteRequest value(byte[] bytes, int offset, int length) {
    value = bytes;
    valueOffset = offset;
    valueLength = length;
    return this;
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
