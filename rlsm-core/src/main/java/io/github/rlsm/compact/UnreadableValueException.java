// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.io.MappedFaults;
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

  /**
   * Wraps the failure of a read: of a value that is damaged, or that the device cannot read. Throws
   * any other failure.
   */
  static UnreadableValueException of(int segment, Throwable failure) {
    if (MappedFaults.cause(failure) instanceof KvException damage) {
      return new UnreadableValueException(segment, damage);
    }
    throw (Error) failure;
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
