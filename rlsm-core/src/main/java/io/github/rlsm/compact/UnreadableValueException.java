// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.kv.KvException;

/** Signals that a value to be moved cannot be read. Its segment cannot be reclaimed. */
public final class UnreadableValueException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int segment;
  private final KvException damage;

  UnreadableValueException(int segment, KvException damage) {
    super(damage);
    this.segment = segment;
    this.damage = damage;
  }

  /** Number of the segment. */
  public int segment() {
    return segment;
  }

  /** The error that the read reported. */
  public KvException damage() {
    return damage;
  }
}
