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
  List<EntrySequence> sequences(boolean descending);

  /** Returns all entries in one ascending sequence, for a flush. */
  EntrySequence inOrder();

  /** Heap bytes of the Memtable. */
  long heapBytes();
}
