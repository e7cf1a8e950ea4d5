// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import java.nio.ByteBuffer;

/**
 * A position in a sequence of entries ordered by internal key, each key once. Memory components,
 * runs of tables and merges of both are read through it.
 *
 * <p>A cursor runs in one direction, fixed when it is made: ascending or descending. It begins
 * nowhere; {@link #seekFirst} or {@link #seek} puts it on an entry, {@link #next} moves on. While
 * it is on an entry the accessors tell where the entry's bytes lie; the buffers are little-endian,
 * shared and to be read by absolute access only, and what they hold stays as long as what the
 * cursor reads from is pinned.
 *
 * <p>Threads: one thread at a time.
 */
public interface EntryCursor {

  /** Goes to the first entry in the cursor's direction. Returns whether there is one. */
  boolean seekFirst();

  /**
   * Goes to the first entry, in the cursor's direction, that is not before the key: ascending the
   * smallest key ≥ it, descending the largest key ≤ it. Returns whether there is one.
   */
  boolean seek(byte[] key, int offset, int length);

  /** Goes to the next entry in the cursor's direction. Returns whether there is one. */
  boolean next();

  /**
   * The cursor that holds the current entry itself: this one, or for a cursor made of others the
   * one below that it stands on. Good until the next move. Asking it directly saves a chain of
   * calls for every part of the entry.
   */
  default EntryCursor leaf() {
    return this;
  }

  /** {@link KeyOrder#prefix} of the current key. */
  long keyPrefix();

  /** The buffer that holds the current key. */
  ByteBuffer keyBuffer();

  /** Where the current key begins in {@link #keyBuffer()}. */
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

  /** Where the value, or its pointer, begins in {@link #valueBuffer()}. */
  int valueOffset();

  /** Length of the value, or of its pointer; 0 for a tombstone. */
  int valueLength();
}
