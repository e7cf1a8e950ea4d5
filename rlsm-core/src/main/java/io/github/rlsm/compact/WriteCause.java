// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

/** The reasons for writes to tables, by which {@code Stats} counts bytes. */
public enum WriteCause {
  /** A memory component is written to level 0. */
  FLUSH,
  /** Slices of level 0 that are too small to be linked are copied to partitions. */
  COMPACT,
  /** Runs of a partition are rewritten as one. */
  CLEAN
}
