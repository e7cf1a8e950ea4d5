// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

/**
 * How much garbage there may be before writers are slowed to the pace at which it is collected.
 * What is written after it was measured counts, too, so that a long job does not leave them free
 * meanwhile.
 *
 * @param beyondBytes bytes of garbage beyond where collecting begins; negative before
 * @param roomBytes from there to the limit
 * @param garbageShare of the bytes that are written, how many make as many others garbage
 */
public record GarbageRoom(double beyondBytes, double roomBytes, double garbageShare) {

  /** Nothing is known to be garbage. */
  public static final GarbageRoom ANY = new GarbageRoom(0, 1, 0);

  /**
   * How far collecting is behind: 0 where it begins, 1 where the limit is reached.
   *
   * @param writtenBytes written since
   */
  public double pressure(long writtenBytes) {
    return Math.max(0, (beyondBytes + garbageShare * writtenBytes) / roomBytes);
  }
}
