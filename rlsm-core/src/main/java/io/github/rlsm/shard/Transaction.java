// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A batch that is applied to several shards, whole or not at all, whatever happens meanwhile: a
 * request to each of them, in the same order in all queues.
 *
 * <p>Threads: made and awaited by a caller; the parts belong to the workers.
 */
abstract class Transaction {

  private final int[] shards;
  private final Countdown left;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private @Nullable Completion<?> completion;

  /**
   * A transaction.
   *
   * @param shards the shards that take part
   */
  Transaction(int[] shards) {
    this.shards = shards;
    this.left = new Countdown(shards.length);
  }

  /** The shards that take part. */
  final int[] shards() {
    return shards;
  }

  /** It is about to be put into the queues, in its order among all that concerns several shards. */
  abstract void admit();

  /** The request to the shard at that place of those that take part. */
  abstract Request part(int place);

  /** Has it end by that; before its parts are submitted. */
  final void completeBy(Completion<?> end) {
    completion = end;
  }

  /** One part has ended. */
  final void leave() {
    if (left.down() && completion != null) {
      completion.ended();
    }
  }

  /** Waits until all parts have ended. */
  final void awaitAll() {
    left.await();
  }

  /** Parks until all parts have ended; throws if it failed. */
  final void await() {
    left.await();
    Throwable cause = failure.get();
    if (cause != null) {
      throw Request.rethrown(cause);
    }
  }

  /** Something of it has failed. */
  final void failed(Throwable cause) {
    failure.compareAndSet(null, cause);
  }

  /** The first failure, if there was one. */
  final @Nullable Throwable failure() {
    return failure.get();
  }
}
