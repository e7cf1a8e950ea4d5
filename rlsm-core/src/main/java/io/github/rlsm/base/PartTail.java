// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import java.util.List;

/**
 * The parts of batches over several stores that one store was found to have when it was opened.
 *
 * @param gsnInTables parts with this number and lower ones are in tables, if the store has them; 0
 *     for none
 * @param parts those that only its log has, in their order
 */
public record PartTail(long gsnInTables, List<Part> parts) {

  /** Takes a copy. */
  public PartTail {
    parts = List.copyOf(parts);
  }

  /**
   * A part in the log.
   *
   * @param mark whose part it is
   * @param seqno where in the log it begins
   */
  public record Part(PartMark mark, long seqno) {}
}
