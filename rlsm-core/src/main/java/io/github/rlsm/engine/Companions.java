// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

/**
 * The other stores that an engine's store has batches in common with.
 *
 * <p>What a store has promised to keep must never be taken back; and a batch over several stores is
 * taken back, when they are opened, if one of them has lost its part. So before an engine promises
 * anything, the others' parts must be as safe as its own.
 */
@FunctionalInterface
public interface Companions {

  /** Those of a store that is on its own. */
  Companions NONE = gsn -> {};

  /**
   * Returns once the other parts of the batch with that number are durable where they are, of all
   * batches that this store got before it, and of all that those come behind in their stores.
   *
   * <p>It may force logs of other stores ({@link Engine#forceParts}) and wait for parts that are
   * being written, so nothing may be held up meanwhile that either of these needs.
   */
  void force(long gsn);
}
