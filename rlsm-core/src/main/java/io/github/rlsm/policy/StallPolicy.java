// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

/**
 * How long a write waits so that memory and disk keep up: nothing below the soft limits, then more
 * and more, smoothly, so that writers slow down to the pace of the disk long before all memory
 * components are full. Only that makes them stop, which is not decided here.
 *
 * <p>With x the share of the way from the soft limit to the limit, of whichever is nearest, a write
 * of n bytes waits n · x³ / {@code slowestBytesPerSecond}, but never more than
 * {@code delayNanosMax} for each {@value #PIECE_BYTES} bytes. So a batch waits about as long as the
 * same bytes in small writes: a limit for each write would let large ones pass it. The cube starts
 * flat, so the first delays are too small to notice; and it never falls as any of the pressures or
 * the size of the write rises.
 *
 * <p>The limit of space is the user's, and what is written beyond it stays there until it is
 * collected. So behind that one x goes on, to {@value #BEYOND_MAX} at most, and the longest delay
 * with x³: writers come to all but a stop, and nothing waits for what may never come.
 */
public final class StallPolicy {

  /** The longest delay applies to each written piece of this many bytes. */
  public static final int PIECE_BYTES = 8 << 10;

  private static final double NANOS_PER_SECOND = 1e9;

  /** How often its room garbage may take before more makes no difference. */
  private static final double BEYOND_MAX = 3;

  private final StallSettings settings;

  /** Delays by some limits. */
  public StallPolicy(StallSettings settings) {
    this.settings = settings;
  }

  /**
   * How long a write waits.
   *
   * @param writeBytes size of the write; at least 0
   * @return nanoseconds, from 0 to {@code delayNanosMax} for each piece, or beyond the limit of
   *     space a multiple
   */
  public long delayNanos(Pressure pressure, long writeBytes) {
    double nearest = Math.max(
        pressure.backlog() / settings.backlogMax(),
        Math.max(
            (double) pressure.l0Runs() / settings.l0RunsMax(),
            (double) pressure.debtBytes() / settings.debtBytesMax()));
    double soft = settings.softFraction();
    double work = Math.min(1, Math.max(0, (nearest - soft) / (1 - soft)));
    double x = Math.max(work, Math.min(BEYOND_MAX, pressure.garbage()));
    double cube = x * x * x;
    double nanosPerByte = NANOS_PER_SECOND / settings.slowestBytesPerSecond();
    double pieces = Math.max(1, (double) writeBytes / PIECE_BYTES);
    double longest = pieces * Math.max(1, cube) * settings.delayNanosMax();
    return (long) Math.min(longest, cube * nanosPerByte * writeBytes);
  }
}
