// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import java.nio.ByteBuffer;

/**
 * A cursor over entries in the order of their internal keys. Each key occurs once. Memory
 * components, table runs and merges of both are read through cursors.
 *
 * <p>A cursor moves in one direction, ascending or descending, which is fixed at construction. A
 * new cursor is on no entry. {@link #seekFirst} or {@link #seek} places the cursor on an entry, and
 * {@link #next} moves it to the next one.
 *
 * <p>While the cursor is on an entry, the accessors return the location of the entry's bytes. The
 * buffers are little-endian and shared; use only absolute access. Their content stays valid while
 * the cursor's source is pinned.
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
   * Returns the cursor that holds the current entry: this cursor, or, for a merging cursor, the
   * child that is on the entry. Valid until the next move. Reading an entry through its leaf saves
   * a chain of calls per accessor.
   */
  default EntryCursor leaf() {
    return this;
  }

  /** {@link KeyOrder#prefix} of the current key. */
  long keyPrefix();

  /** The buffer that holds the current key. */
  ByteBuffer keyBuffer();

  /** Offset of the current key in {@link #keyBuffer()}. */
  int keyOffset();

  /** Length of the current key. */
  int keyLength();

  /** {@link EntryKind} of the current entry. */
  int kind();

  /** Sequence number of the current entry. */
  long seqno();

  /**
   * The buffer that holds the current value, or its encoded {@link ValuePointer}. Undefined for a
   * tombstone.
   */
  ByteBuffer valueBuffer();

  /** Offset of the value, or of its pointer, in {@link #valueBuffer()}. */
  int valueOffset();

  /** Length of the value, or of its pointer; 0 for a tombstone. */
  int valueLength();
}
