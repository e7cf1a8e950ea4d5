// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.kv.KvException;

/** A value that was to be moved cannot be read: its segment has to stay as it is. */
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

  /** What is wrong with it. */
  public KvException damage() {
    return damage;
  }
}
