// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

/**
 * The other stores that share cross-shard batches with this store.
 *
 * <p>A store must never lose a write that it promised to keep. But when the stores are opened, a
 * cross-shard batch is rolled back if one of them has lost its part. So before an engine promises
 * anything, the other stores' parts must be as durable as its own.
 */
@FunctionalInterface
public interface CommitDependencies {

  /** The dependencies of a store that shares no batches. */
  CommitDependencies NONE = gsn -> {};

  /**
   * Makes the other parts of these batches durable in their stores: the batch with this number and
   * all earlier batches of this store. Does the same, transitively, for all batches that precede
   * those parts in their stores.
   *
   * <p>The call may force logs of other stores and wait for parts that are being written. So the
   * caller must not block anything that these need.
   */
  void force(long gsn);
}
