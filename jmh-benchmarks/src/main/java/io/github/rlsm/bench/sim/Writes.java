// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.sim;

/**
 * An endless sequence of writes, as a density over positions and time. Time counts writes.
 * Implementations are immutable.
 */
public interface Writes {

  /** The end, exclusive, of positions in workloads with random key order. They start at 0. */
  long SPACE = 1L << 50;

  /** The number of different keys in {@code [a, b)} that a time span's writes touch. */
  double keys(long a, long b, double fromTime, double toTime);

  /** The number of different keys in {@code [a, b)} whose last write of the span is a delete. */
  default double deletes(long a, long b, double fromTime, double toTime) {
    return 0;
  }

  /** The smallest position of writes from a time on. */
  default long firstPosition(double fromTime) {
    return 0;
  }

  /** The end, exclusive, of positions of writes before a time. */
  default long endPosition(double toTime) {
    return SPACE;
  }

  /** Whether ranges of equal width always get equal writes, so that one represents all. */
  boolean isAlikeEverywhere();

  /** New keys in random order. */
  static Writes inserts() {
    return new Scattered() {
      @Override
      double distinct(double writes) {
        return writes;
      }
    };
  }

  /** Overwrites of a fixed number of keys with equal probability. */
  static Writes overwrites(double keys) {
    return new Scattered() {
      @Override
      double distinct(double writes) {
        return -keys * Math.expm1(-writes / keys);
      }
    };
  }

  /** Overwrites of a fixed number of keys by Zipf's law, with hot keys spread evenly. */
  static Writes zipfian(double keys, double exponent) {
    return new Zipfian(keys, exponent);
  }

  /**
   * Keys in order of time.
   *
   * @param spread maximum delay of a key, in writes; 1 for strict order
   */
  static Writes ordered(double spread) {
    return new Ordered(spread);
  }

  /** Writes with the same mix of popularities in every range. */
  abstract class Scattered implements Writes {

    /** The number of different keys that a number of writes touch. */
    abstract double distinct(double writes);

    @Override
    public double keys(long a, long b, double fromTime, double toTime) {
      return (double) (b - a) / SPACE * distinct(toTime - fromTime);
    }

    @Override
    public boolean isAlikeEverywhere() {
      return true;
    }
  }
}
