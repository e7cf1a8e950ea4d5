// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

/**
 * How much of a run lies in some key range.
 *
 * @param entries keys; an estimate, but 0 only where there certainly is none
 * @param bytes size on disk; an estimate
 */
public record SliceSize(long entries, long bytes) {

  /** Checks that neither is negative. */
  public SliceSize {
    if (entries < 0 || bytes < 0) {
      throw new IllegalArgumentException(entries + " entries, " + bytes + " bytes");
    }
  }
}
