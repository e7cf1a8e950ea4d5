// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvStore;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A lookup of one key. Threads: see {@link Request}. */
final class ReadRequest extends Request {

  private final Keyspace keyspace;
  private final byte[] key;
  private final int offset;
  private final int length;
  private byte @Nullable [] value;

  /**
   * A lookup.
   *
   * @param keyspace the shard's part of the keyspace
   */
  ReadRequest(Keyspace keyspace, byte[] key, int offset, int length) {
    this.keyspace = keyspace;
    this.key = key;
    this.offset = offset;
    this.length = length;
  }

  @Override
  Kind kind() {
    return Kind.READ;
  }

  /** The shard's part of the keyspace. */
  Keyspace keyspace() {
    return keyspace;
  }

  /** The key in an array of its own. */
  byte[] key() {
    return offset == 0 && length == key.length
        ? key
        : Arrays.copyOfRange(key, offset, offset + length);
  }

  @Override
  void run(KvStore shard) {
    byte[] found;
    try {
      found = keyspace.get(key, offset, length);
    } catch (RuntimeException e) {
      fail(e);
      return;
    }
    finish(found);
  }

  /** Ends with what was found. */
  void finish(byte @Nullable [] found) {
    value = found;
    finish();
  }

  /** What was found, once it is. */
  byte @Nullable [] value() {
    await();
    return value;
  }
}
