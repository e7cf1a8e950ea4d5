// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import java.util.List;

/**
 * The parts of cross-shard batches that a store has, as found when the store was opened.
 *
 * @param gsnInTables every part of the store with this number or a lower one is in tables; 0 if no
 *     part is
 * @param parts the parts that only the store's log holds, in log order
 */
public record PartTail(long gsnInTables, List<Part> parts) {

  /** Copies the list. */
  public PartTail {
    parts = List.copyOf(parts);
  }

  /**
   * A part that is in the log.
   *
   * @param header the cross-shard batch that the part belongs to
   * @param seqno the part's seqno in the store's log
   */
  public record Part(PartHeader header, long seqno) {}
}
