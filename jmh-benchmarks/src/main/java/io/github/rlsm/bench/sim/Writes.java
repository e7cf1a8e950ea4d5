// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.sim;

/**
 * An endless sequence of writes as a density over positions and time, where time counts writes.
 * Implementations are immutable.
 */
public interface Writes {

  /** The positions of workloads whose keys come in no order: from 0 to this, exclusive. */
  long SPACE = 1L << 50;

  /** How many different keys with a position in {@code [a, b)} the writes of a time touch. */
  double keys(long a, long b, double fromTime, double toTime);

  /** How many of those keys the last of these writes deletes. */
  default double deletes(long a, long b, double fromTime, double toTime) {
    return 0;
  }

  /** The first position that the writes of a time can have. */
  default long firstPosition(double fromTime) {
    return 0;
  }

  /** The position after the last one that the writes of a time can have. */
  default long endPosition(double toTime) {
    return SPACE;
  }

  /** Whether parts of equal width get writes alike at any time, so that one can stand for all. */
  boolean isAlikeEverywhere();

  /** New keys in any order. */
  static Writes inserts() {
    return new Scattered() {
      @Override
      double distinct(double writes) {
        return writes;
      }
    };
  }

  /** Some number of keys, each as likely as any other. */
  static Writes overwrites(double keys) {
    return new Scattered() {
      @Override
      double distinct(double writes) {
        return -keys * Math.expm1(-writes / keys);
      }
    };
  }

  /** Some number of keys with Zipf's popularity, hot ones strewn evenly among the cold ones. */
  static Writes zipfian(double keys, double exponent) {
    return new Zipfian(keys, exponent);
  }

  /**
   * Keys in order of time.
   *
   * @param spread how many writes late a key may come; 1 for strict order
   */
  static Writes ordered(double spread) {
    return new Ordered(spread);
  }

  /** Every range has the same mix of popularities. */
  abstract class Scattered implements Writes {

    /** How many different keys a number of writes touch. */
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
