// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

/**
 * A cursor over entry numbers in key order, ascending or descending. It is the counterpart of
 * {@link io.github.rlsm.base.EntryCursor} for entry numbers.
 *
 * <p>Threads: one thread at a time.
 */
interface EntrySequence {

  /** Moves to the first entry in the sequence's direction. Returns whether there is one. */
  boolean seekFirst();

  /**
   * Moves to the first entry at or after the key in the sequence's direction. Returns whether there
   * is one.
   */
  boolean seek(byte[] key, int offset, int length);

  /** Moves to the next entry. Returns whether there is one. */
  boolean next();

  /** The number of the current entry. */
  int entry();

  /** {@link io.github.rlsm.base.KeyOrder#prefix} of the current key. */
  long keyPrefix();
}
