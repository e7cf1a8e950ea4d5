// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.sim;

/**
 * Inserts of new keys in random order, then a delete of each of them in another random order.
 *
 * @param count number of keys
 */
record FullDelete(double count) implements Writes {

  @Override
  public double keys(long a, long b, double fromTime, double toTime) {
    double inserted = Math.min(toTime, count) - Math.min(fromTime, count);
    double deletedOnly = deleted(fromTime, toTime) * (1 - inserted / count);
    return (double) (b - a) / SPACE * (inserted + deletedOnly);
  }

  @Override
  public double deletes(long a, long b, double fromTime, double toTime) {
    return (double) (b - a) / SPACE * deleted(fromTime, toTime);
  }

  private double deleted(double fromTime, double toTime) {
    return clamp(toTime - count) - clamp(fromTime - count);
  }

  private double clamp(double deletes) {
    return Math.max(0, Math.min(count, deletes));
  }

  @Override
  public boolean isAlikeEverywhere() {
    return true;
  }
}
