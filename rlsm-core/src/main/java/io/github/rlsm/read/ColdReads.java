// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

/**
 * Predicts where the next read finds its data: in the kernel's page cache, or on the device. The
 * prediction follows from recent reads of one kind, such as values of the value log. A prefetch
 * costs a system call. The call is wasted if the value is cached, and costs a twentieth of the wait
 * otherwise.
 *
 * <p>Threads: any. A race loses a count, which is harmless.
 */
final class ColdReads {

  /** A read that takes longer than this has waited for the device. */
  private static final long WAIT_NANOS = 20_000;

  /** The time for each further value that is cached but whose pages are not mapped. */
  private static final long VALUE_NANOS = 2_000;

  /** This many cached values weigh as much as one wait. */
  private static final int SCORE_PER_WAIT = 20;

  private static final int SCORE_MAX = 10 * SCORE_PER_WAIT;

  /**
   * The score from which values are expected to be cold: four waits in close succession. With two,
   * cached values were occasionally classified as cold, and relocated for scans without benefit.
   */
  private static final int SCORE_COLD = 4 * SCORE_PER_WAIT;

  /** One batch in this many starts without a prefetch, to measure how long its values take. */
  private static final int PROBE = 16;

  private int score;
  private int batches;

  /** Whether the next value is expected to wait for the device. */
  boolean areExpected() {
    return score >= SCORE_COLD;
  }

  /** Whether to prefetch the values of a scan's next batch. */
  boolean isWorthAsking() {
    return areExpected() && ++batches % PROBE != 0;
  }

  /**
   * Records how long values took to read without a prefetch. Returns whether at least one of them
   * waited for the device.
   */
  boolean noteRead(int values, long nanos) {
    boolean waited = nanos > WAIT_NANOS + (values - 1) * VALUE_NANOS;
    score = waited ? Math.min(SCORE_MAX, score + SCORE_PER_WAIT) : Math.max(0, score - values);
    return waited;
  }
}
