// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

/**
 * The seqnos of some entries.
 *
 * @param min the lowest
 * @param max the highest
 */
public record SeqnoRange(long min, long max) {

  @Override
  public String toString() {
    return min + " to " + max;
  }
}
