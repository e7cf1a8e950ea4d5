// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a {@link KvStore} that do not wait for durability. Calls of one thread on one key
 * take effect in the order in which they were made, together with the thread's synchronous calls.
 *
 * <p>A store may do a part of a call in the calling thread. A call also blocks while too many calls
 * are in flight, except a call from inside a callback. Callbacks may take long and may make further
 * calls, but should not wait for them.
 *
 * <p>Keys and values are copied. Invalid arguments, a closed store and a failed store are reported
 * by an exception at once. Every later error fails the future. A close serves all earlier calls
 * first.
 *
 * <p>Threads: any.
 */
public interface AsyncStore {

  /** Returns the store of these calls. */
  KvStore store();

  /** Looks up a key of the default keyspace. */
  default CompletableFuture<byte @Nullable []> get(byte[] key) {
    return get(store(), key);
  }

  /** Looks up a key. The future's result is the value, or null. */
  CompletableFuture<byte @Nullable []> get(Keyspace keyspace, byte[] key);

  /** Puts an entry into the default keyspace. */
  default AsyncWrite put(byte[] key, byte[] value, Durability durability) {
    return put(store(), key, value, durability);
  }

  /** Puts an entry. */
  AsyncWrite put(Keyspace keyspace, byte[] key, byte[] value, Durability durability);

  /** Deletes a key of the default keyspace. */
  default AsyncWrite delete(byte[] key, Durability durability) {
    return delete(store(), key, durability);
  }

  /** Deletes a key. */
  AsyncWrite delete(Keyspace keyspace, byte[] key, Durability durability);

  /**
   * Replaces a value if it equals the expected one; see {@link Keyspace#compareAndSet}. The future
   * completes when the write has the requested durability.
   */
  CompletableFuture<Boolean> compareAndSet(
      Keyspace keyspace,
      byte[] key,
      byte @Nullable [] expected,
      byte @Nullable [] replacement,
      Durability durability);

  /** Applies a batch atomically. The batch may be reused as soon as the method returns. */
  AsyncWrite write(WriteBatch batch, Durability durability);
}
