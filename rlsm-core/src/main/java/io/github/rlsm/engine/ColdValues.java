// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

/**
 * Whether values of the log have to be fetched from the device these days, or are in the kernel's
 * cache: what scans found lately. Asking for a value ahead costs a system call, which is lost where
 * the value is at hand, and a twentieth of the wait where it is not.
 *
 * <p>Threads: any. Races lose a count, and do no harm.
 */
final class ColdValues {

  /** A read that took longer than this waited for the device. */
  private static final long WAIT_NANOS = 20_000;

  /** What each value beside the first may take in memory, of which the mapping lacks its pages. */
  private static final long VALUE_NANOS = 2_000;

  /** So many values at hand weigh as much as one that is waited for. */
  private static final int SCORE_PER_WAIT = 20;

  private static final int SCORE_MAX = 10 * SCORE_PER_WAIT;

  /**
   * Four waits close to each other. With two, values in memory were taken for cold ones now and
   * then, and moved for scans in vain.
   */
  private static final int SCORE_COLD = 4 * SCORE_PER_WAIT;

  /** One batch of so many is not asked for ahead at first, to see how long that takes now. */
  private static final int PROBE = 16;

  private int score;
  private int batches;

  /** Whether to expect that values have to be waited for. */
  boolean areExpected() {
    return score >= SCORE_COLD;
  }

  /** Whether the values of the next batch of a scan are to be asked for ahead. */
  boolean isWorthAsking() {
    return areExpected() && ++batches % PROBE != 0;
  }

  /**
   * Values that were not asked for ahead took so long to read. Returns whether one of them had to
   * be waited for.
   */
  boolean noteRead(int values, long nanos) {
    boolean waited = nanos > WAIT_NANOS + (values - 1) * VALUE_NANOS;
    score = waited ? Math.min(SCORE_MAX, score + SCORE_PER_WAIT) : Math.max(0, score - values);
    return waited;
  }
}
