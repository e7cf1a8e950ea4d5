// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;

/**
 * A part of a victim, by key range.
 *
 * @param run the victim
 * @param range the part; inside the victim's span, and the whole span if all of it is meant
 * @param size what the part holds
 */
public record Slice(RunShape run, KeyRange range, SliceSize size) {

  /** Checks that the part lies inside the run. */
  public Slice {
    if (range.isEmpty() || !run.span().covers(range)) {
      throw new IllegalArgumentException(
          "slice " + range + " is empty or outside run " + run.id() + " " + run.span());
    }
  }

  /** Whether the slice is all of its run. */
  public boolean isWhole() {
    return range.covers(run.span());
  }
}
