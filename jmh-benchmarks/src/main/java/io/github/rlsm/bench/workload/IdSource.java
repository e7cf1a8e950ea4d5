// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.workload;

import java.math.BigInteger;
import java.util.SplittableRandom;
import org.apache.commons.rng.sampling.distribution.DiscreteSampler;
import org.apache.commons.rng.sampling.distribution.RejectionInversionZipfSampler;

/**
 * Draws key numbers from a distribution. The same seed draws the same numbers.
 *
 * <p>Threads: one thread at a time.
 */
@FunctionalInterface
public interface IdSource {

  /** YCSB's exponent of the zipfian distribution. */
  double ZIPFIAN_EXPONENT = 0.99;

  /** The next number. */
  long next();

  /** Draws each of {@code keys} numbers with the same probability. */
  static IdSource uniform(long keys, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return () -> random.nextLong(keys);
  }

  /**
   * Draws few numbers often. The probability of the r-th most frequent number is proportional to r
   * to the power of -0.99. The frequent numbers are scattered over all numbers. So their keys are
   * not adjacent in the key space, and were not loaded together.
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

  /** A step, near the golden ratio, that visits all numbers before it returns to the first. */
  private static long coprimeStride(long keys) {
    long stride = Math.max(1, (long) (keys * 0.6180339887498949));
    BigInteger all = BigInteger.valueOf(keys);
    while (!BigInteger.valueOf(stride).gcd(all).equals(BigInteger.ONE)) {
      stride++;
    }
    return stride;
  }
}
