// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import java.util.List;

/**
 * The sorted memory tier: entry numbers in the order of their keys.
 *
 * <p>Threads: one thread at a time inserts. Any number of threads read during an insertion; a
 * reader finds at least the entries that were inserted before it began.
 */
interface Memtable {

  /**
   * Inserts a drained batch of entries, all of which are new to the Memtable.
   *
   * <p>Writers that insert the same new key at the same time create several entries. All but one of
   * them become dead. A drain may see them before that, so the Memtable may hold several entries of
   * one key. Each of them must stay findable, because it is not decided yet which one survives.
   */
  void insert(SortedRun batch);

  /** Returns sequences that together hold every entry once, each in key order. */
  List<Sequence> sequences(boolean descending);

  /** Returns all entries in one ascending sequence, for a flush. */
  Sequence inOrder();

  /** Heap bytes of the Memtable. */
  long heapBytes();

  /**
   * A cursor over entry numbers in key order, ascending or descending. It is the counterpart of
   * {@link io.github.rlsm.base.EntryCursor} for entry numbers.
   *
   * <p>Threads: one thread at a time.
   */
  interface Sequence {

    /** Moves to the first entry in the sequence's direction. Returns whether there is one. */
    boolean seekFirst();

    /**
     * Moves to the first entry at or after the key in the sequence's direction. Returns whether
     * there is one.
     */
    boolean seek(byte[] key, int offset, int length);

    /** Moves to the next entry. Returns whether there is one. */
    boolean next();

    /** The number of the current entry. */
    int entry();

    /** {@link io.github.rlsm.base.KeyOrder#prefix} of the current key. */
    long keyPrefix();
  }
}
