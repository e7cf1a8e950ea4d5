// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.values;

/**
 * The space of a store's separated values; pure.
 *
 * @param values bytes of values in value files
 * @param live the bytes among them that key files refer to. An overwritten value counts as live
 *     until a compaction of key files drops its shadow.
 * @param keys the size of all key files
 */
public record ValueSpace(long values, long live, long keys) {

  /** The space of a store without separated values. */
  public static final ValueSpace NONE = new ValueSpace(0, 0, 0);

  /** Bytes of values that no key file refers to. */
  public long dead() {
    return Math.max(0, values - live);
  }

  /**
   * The dead bytes divided by the bytes that may be dead; above 1, collecting them is urgent.
   *
   * <p>The key files add to the allowed bytes, because collecting rewrites them. Some value files
   * exceed the percentage by themselves. If the result is above 1, these have more dead bytes than
   * all key files have bytes. So collecting frees more than it writes of keys.
   *
   * @param deadPercentMax the dead bytes that are allowed, in percent of the live ones
   */
  public double excess(int deadPercentMax) {
    long allowed = keys + live * deadPercentMax / 100;
    return dead() == 0 ? 0 : (double) dead() / Math.max(1, allowed);
  }
}
