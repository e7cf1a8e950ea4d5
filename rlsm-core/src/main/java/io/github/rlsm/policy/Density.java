// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import java.math.BigInteger;

/**
 * The paper's {@code TotalNumberOfKVs / (Max - Min)} as an exact fraction. The keys of a dense run
 * are close together, so few partitions get a share of it.
 *
 * @param entries keys in the run
 * @param width width of its span; positive
 */
record Density(long entries, BigInteger width) implements Comparable<Density> {

  @Override
  public int compareTo(Density other) {
    BigInteger mine = BigInteger.valueOf(entries).multiply(other.width);
    return mine.compareTo(BigInteger.valueOf(other.entries).multiply(width));
  }
}
