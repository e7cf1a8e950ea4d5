// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import java.util.List;

/**
 * The sorted memory tier: entry numbers in the order of their keys.
 *
 * <p>Threads: one thread at a time inserts; any number read meanwhile and find at least what was
 * inserted before they began.
 */
interface Memtable {

  /**
   * Takes a drained batch of entries that are all new here.
   *
   * <p>Of entries that writers made at once for the same new key, all but one are dead; if draining
   * came across them before they were, they are here, and each of them must stay findable, because
   * it is not known yet which one lives on.
   */
  void insert(SortedRun batch);

  /** Sequences that together hold every entry once, each in key order. */
  List<EntrySequence> sequences(boolean descending);

  /** All entries in one ascending sequence, for a flush. */
  EntrySequence inOrder();

  /** Heap bytes held. */
  long heapBytes();
}
