// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.sim;

/**
 * Overwrites of a fixed number of keys. Keys in the lower part of the key space are written more
 * often.
 *
 * @param keys number of keys
 * @param hotSpace hot share of the key space, and of the keys
 * @param hotWrites share of the writes that go to hot keys
 */
record HotRange(double keys, double hotSpace, double hotWrites) implements Writes {

  @Override
  public double keys(long a, long b, double fromTime, double toTime) {
    double border = hotSpace * SPACE;
    double hot = Math.max(0, Math.min((double) b, border) - a) / border;
    double cold = Math.max(0, b - Math.max((double) a, border)) / (SPACE - border);
    double writes = toTime - fromTime;
    return hot * distinct(keys * hotSpace, writes * hotWrites)
        + cold * distinct(keys * (1 - hotSpace), writes * (1 - hotWrites));
  }

  private static double distinct(double keys, double writes) {
    return -keys * Math.expm1(-writes / keys);
  }

  @Override
  public boolean isAlikeEverywhere() {
    return false;
  }
}
