// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

/**
 * A cursor over entries in the order of their internal keys. Each key occurs once. Memory
 * components, table runs and merges of both are read through cursors.
 *
 * <p>A cursor moves in one direction, ascending or descending, which is fixed at construction. A
 * new cursor is on no entry. {@link #seekFirst} or {@link #seek} places the cursor on an entry, and
 * {@link #next} moves it to the next one.
 *
 * <p>Threads: one thread at a time.
 */
public interface EntryCursor {

  /** Moves to the first entry in the cursor's direction. Returns whether there is one. */
  boolean seekFirst();

  /**
   * Moves to the first entry at or after the key in the cursor's direction: the smallest key ≥ it
   * if ascending, the largest key ≤ it if descending. Returns whether there is one.
   */
  boolean seek(byte[] key, int offset, int length);

  /**
   * Begins to load what {@link #seek} of the same key will read, without waiting for it. The next
   * call must be this seek. If several cursors approach before the first one seeks, their loads
   * overlap.
   */
  default void approach(byte[] key, int offset, int length) {}

  /** Moves to the next entry in the cursor's direction. Returns whether there is one. */
  boolean next();

  /**
   * Returns the entry that the cursor is on. Valid until the next move. A merging cursor returns
   * the entry of one of its sources.
   */
  CursorEntry entry();
}
