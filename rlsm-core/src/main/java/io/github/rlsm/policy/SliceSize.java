// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

/**
 * The size of the part of a run that lies in a key range.
 *
 * @param entries keys; an estimate, but 0 only if the range certainly has none
 * @param bytes size on disk; an estimate
 */
public record SliceSize(long entries, long bytes) {

  /** Checks that neither figure is negative. */
  public SliceSize {
    if (entries < 0 || bytes < 0) {
      throw new IllegalArgumentException(
          "negative slice size: " + entries + " entries, " + bytes + " bytes");
    }
  }
}
