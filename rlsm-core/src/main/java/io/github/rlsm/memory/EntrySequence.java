// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

/**
 * A position in a sequence of entry numbers in key order, ascending or descending; what
 * {@link io.github.rlsm.base.EntryCursor} is for entries.
 *
 * <p>Threads: one thread at a time.
 */
interface EntrySequence {

  /** Goes to the first entry of the direction. Returns whether there is one. */
  boolean seekFirst();

  /**
   * Goes to the first entry, in the direction, not before the key. Returns whether there is one.
   */
  boolean seek(byte[] key, int offset, int length);

  /** Goes to the next entry. Returns whether there is one. */
  boolean next();

  /** The current entry's number. */
  int entry();

  /** {@link io.github.rlsm.base.KeyOrder#prefix} of the current key. */
  long keyPrefix();
}
