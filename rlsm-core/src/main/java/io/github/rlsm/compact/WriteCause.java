// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

/** Why bytes are written to tables; the causes under which {@code Stats} counts them. */
public enum WriteCause {
  /** Memory to level 0. */
  FLUSH,
  /** Level 0 to partitions, where slices are too small to be linked. */
  COMPACT,
  /** Runs of a partition rewritten as one. */
  CLEAN
}
