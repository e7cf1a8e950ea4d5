// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The asynchronous calls of a store that has only synchronous ones. The calling thread does all of
 * a call, so every returned future is complete.
 *
 * <p>Threads: any.
 */
final class DirectAsyncStore implements AsyncStore {

  private final KvStore store;

  DirectAsyncStore(KvStore store) {
    this.store = store;
  }

  @Override
  public KvStore store() {
    return store;
  }

  @Override
  public CompletableFuture<byte @Nullable []> get(Keyspace keyspace, byte[] key) {
    Keyspace own = own(keyspace);
    return ended(() -> own.get(key));
  }

  @Override
  public AsyncWrite put(Keyspace keyspace, byte[] key, byte[] value, Durability durability) {
    Keyspace own = own(keyspace);
    return written(() -> own.put(key, value, durability));
  }

  @Override
  public AsyncWrite delete(Keyspace keyspace, byte[] key, Durability durability) {
    Keyspace own = own(keyspace);
    return written(() -> own.delete(key, durability));
  }

  @Override
  public CompletableFuture<Boolean> compareAndSet(
      Keyspace keyspace,
      byte[] key,
      byte @Nullable [] expected,
      byte @Nullable [] replacement,
      Durability durability) {
    Keyspace own = own(keyspace);
    return ended(() -> own.compareAndSet(key, expected, replacement, durability));
  }

  @Override
  public AsyncWrite write(WriteBatch batch, Durability durability) {
    return written(() -> store.write(batch, durability));
  }

  @SuppressWarnings("ReferenceEquality") // A keyspace belongs to one store, not to an equal one.
  private Keyspace own(Keyspace keyspace) {
    if (keyspace.store() != store) {
      throw new IllegalArgumentException("keyspace \"" + keyspace.name()
          + "\" belongs to another store; use a keyspace of this one");
    }
    return keyspace;
  }

  private static AsyncWrite written(Runnable write) {
    CompletableFuture<@Nullable Void> durable = DirectAsyncStore.<@Nullable Void>ended(() -> {
      write.run();
      return null;
    });
    return new AsyncWrite(durable.copy(), durable);
  }

  /** Makes a call. Only the errors of files fail the future; all others are the caller's. */
  private static <T extends @Nullable Object> CompletableFuture<T> ended(Supplier<T> call) {
    try {
      return CompletableFuture.completedFuture(call.get());
    } catch (StoreIoException | CorruptionException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
