// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

/**
 * The amount of garbage allowed before writers are slowed to the pace of collection. Bytes written
 * after the measurement count too, so that a long job does not leave writers unrestricted.
 *
 * @param beyondBytes bytes of garbage beyond the point where collection begins; negative before it
 * @param roomBytes bytes from that point to the limit
 * @param garbageShare the share of written bytes that make an equal number of older bytes garbage
 */
public record SpaceAmplificationBudget(double beyondBytes, double roomBytes, double garbageShare) {

  /** Unlimited room, for a store without known garbage. */
  public static final SpaceAmplificationBudget ANY = new SpaceAmplificationBudget(0, 1, 0);

  /**
   * How far collection is behind: 0 where it begins, 1 where the limit is reached.
   *
   * @param writtenBytes bytes written since the measurement
   */
  public double pressure(long writtenBytes) {
    return Math.max(0, (beyondBytes + garbageShare * writtenBytes) / roomBytes);
  }
}
