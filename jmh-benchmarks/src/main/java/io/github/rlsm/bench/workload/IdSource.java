// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.workload;

import java.math.BigInteger;
import java.util.SplittableRandom;
import org.apache.commons.rng.sampling.distribution.DiscreteSampler;
import org.apache.commons.rng.sampling.distribution.RejectionInversionZipfSampler;

/**
 * Draws numbers of keys from a distribution; the same seed draws the same numbers.
 *
 * <p>Threads: one thread at a time.
 */
@FunctionalInterface
public interface IdSource {

  /** YCSB's exponent of the zipfian distribution. */
  double ZIPFIAN_EXPONENT = 0.99;

  /** The next number. */
  long next();

  /** Each of {@code keys} numbers with the same probability. */
  static IdSource uniform(long keys, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return () -> random.nextLong(keys);
  }

  /**
   * Few numbers often: the r-th most frequent one with a probability proportional to r to the power
   * of -0.99. Which ones are frequent is scattered over all numbers, so that they lie neither
   * together in the key space nor in the order in which they were loaded.
   *
   * @param keys 1 to {@link Integer#MAX_VALUE}
   */
  static IdSource zipfian(long keys, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    DiscreteSampler ranks =
        RejectionInversionZipfSampler.of(random::nextLong, Math.toIntExact(keys), ZIPFIAN_EXPONENT);
    long stride = coprimeStride(keys);
    return () -> (ranks.sample() - 1) * stride % keys;
  }

  /** A step that visits all numbers before it comes back: near the golden section of them. */
  private static long coprimeStride(long keys) {
    long stride = Math.max(1, (long) (keys * 0.6180339887498949));
    BigInteger all = BigInteger.valueOf(keys);
    while (!BigInteger.valueOf(stride).gcd(all).equals(BigInteger.ONE)) {
      stride++;
    }
    return stride;
  }
}
