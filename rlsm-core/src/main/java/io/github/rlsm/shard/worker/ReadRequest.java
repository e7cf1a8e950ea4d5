// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.worker;

import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvStore;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A lookup of one key. Threads: see {@link Request}. */
public final class ReadRequest extends Request {

  private final Keyspace keyspace;
  private final byte[] key;
  private final int offset;
  private final int length;
  private byte @Nullable [] value;

  /**
   * Creates a lookup.
   *
   * @param keyspace the keyspace in the shard's store
   */
  public ReadRequest(Keyspace keyspace, byte[] key, int offset, int length) {
    this.keyspace = keyspace;
    this.key = key;
    this.offset = offset;
    this.length = length;
  }

  @Override
  Kind kind() {
    return Kind.READ;
  }

  /** The keyspace in the shard's store. */
  Keyspace keyspace() {
    return keyspace;
  }

  /** Returns the key in an array of its exact length. */
  byte[] key() {
    return offset == 0 && length == key.length
        ? key
        : Arrays.copyOfRange(key, offset, offset + length);
  }

  @Override
  public void run(KvStore shard) {
    byte[] found;
    try {
      found = keyspace.get(key, offset, length);
    } catch (RuntimeException e) {
      fail(e);
      return;
    }
    finish(found);
  }

  /** Ends the request with the value that was found. */
  void finish(byte @Nullable [] found) {
    value = found;
    finish();
  }

  /** Waits for the end of the lookup and returns the value; null if the key does not exist. */
  public byte @Nullable [] value() {
    await();
    return value;
  }
}
