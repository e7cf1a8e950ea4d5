// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;

/**
 * A part of a victim, by key range.
 *
 * @param run the victim
 * @param range the part's keys, inside the victim's span; the whole span for the whole victim
 * @param size the part's size
 */
public record Slice(RunShape run, KeyRange range, SliceSize size) {

  /** Checks that the range is not empty and lies inside the run. */
  public Slice {
    if (range.isEmpty() || !run.span().covers(range)) {
      throw new IllegalArgumentException(
          "slice " + range + " is empty or outside run " + run.id() + " " + run.span());
    }
  }

  /** Whether the slice is the whole run. */
  public boolean isWhole() {
    return range.covers(run.span());
  }
}
