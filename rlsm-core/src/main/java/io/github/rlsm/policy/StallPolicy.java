// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

/**
 * Computes the delay of a write so that memory and disk keep up. Below the soft limits no write
 * waits. Above them delays grow smoothly, so that writers slow down to the pace of the disk long
 * before all memory components are full. Only full components stop writers, and this class does not
 * decide that.
 *
 * <p>Let x be the position between the soft limit (0) and the limit (1), taken from the pressure
 * that is nearest to its limit. A write of n bytes waits n · x³ / {@code slowestBytesPerSecond},
 * but at most {@code delayNanosMax} for each {@value #PIECE_BYTES} bytes. So a batch waits about as
 * long as the same bytes in small writes; with a maximum for each write, large writes would evade
 * the limit. The cube starts flat, so the first delays are negligible. The delay never decreases as
 * a pressure or the size of the write increases.
 *
 * <p>The limit of space is set by the user, and bytes written beyond it occupy space until they are
 * collected. So for space x continues beyond 1, up to {@value #BEYOND_MAX}, and the longest delay
 * grows with x³. Writers then almost stop, but no write blocks on a collection that may never
 * finish.
 */
public final class StallPolicy {

  /** {@code delayNanosMax} applies to each written piece of this many bytes. */
  public static final int PIECE_BYTES = 8 << 10;

  private static final double NANOS_PER_SECOND = 1e9;

  /** The garbage pressure above which the delay does not grow further. */
  private static final double BEYOND_MAX = 3;

  private final StallSettings settings;

  /** Creates a policy with the given limits. */
  public StallPolicy(StallSettings settings) {
    this.settings = settings;
  }

  /**
   * The delay of a write.
   *
   * @param writeBytes size of the write; at least 0
   * @return nanoseconds, from 0 to {@code delayNanosMax} for each piece; a multiple of it beyond
   *     the limit of space
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
