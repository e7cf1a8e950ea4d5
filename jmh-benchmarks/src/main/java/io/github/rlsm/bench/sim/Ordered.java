// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.sim;

/** Writes in order of time. The write at time t has a position from t to t + spread. */
record Ordered(double spread) implements Writes {

  @Override
  public double keys(long a, long b, double fromTime, double toTime) {
    double low = a;
    double high = b;
    return below(high, toTime) - below(low, toTime) - below(high, fromTime) + below(low, fromTime);
  }

  /** The number of writes before a time with a position below {@code y}. */
  private double below(double y, double time) {
    double certain = Math.max(0, Math.min(time, y - spread));
    double from = Math.max(0, y - spread);
    double to = Math.max(from, Math.min(time, y));
    double partly = from >= time ? 0 : (to - from) * (2 * y - from - to) / (2 * spread);
    return certain + partly;
  }

  @Override
  public long firstPosition(double fromTime) {
    return (long) fromTime;
  }

  @Override
  public long endPosition(double toTime) {
    return (long) Math.ceil(toTime + spread);
  }

  @Override
  public boolean isAlikeEverywhere() {
    return false;
  }
}
