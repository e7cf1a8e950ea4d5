// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.kv.InvalidOptionsException;
import java.util.List;

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

  private final Limits settings;

  /** Creates a policy with the given limits. */
  public StallPolicy(Limits settings) {
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

  /**
   * The limits of the stall policy. At each limit writes reach their slowest rate, but do not stop.
   *
   * @param backlogMax the number of memory components; this policy does not decide that writes stop
   *     when all components are full
   * @param l0RunsMax the number of runs in L0
   * @param debtBytesMax bytes that compaction and cleaning are behind
   * @param softFraction the share of a limit below which no write waits; from 0 to less than 1
   * @param slowestBytesPerSecond the rate to which each writer is slowed as a limit comes near
   * @param delayNanosMax the longest delay of a write, in nanoseconds; the longest delay of each
   *     piece of {@link StallPolicy#PIECE_BYTES} if the write is longer
   */
  public record Limits(
      int backlogMax,
      int l0RunsMax,
      long debtBytesMax,
      double softFraction,
      long slowestBytesPerSecond,
      long delayNanosMax) {

    /** Checks that every limit is in range and that the soft fraction is less than 1. */
    public Limits {
      if (backlogMax < 1
          || l0RunsMax < 1
          || debtBytesMax < 1
          || slowestBytesPerSecond < 1
          || delayNanosMax < 0) {
        throw new InvalidOptionsException(
            List.of("stall limits must be at least 1, and the longest delay at least 0: "
                + backlogMax + " components, " + l0RunsMax + " runs, " + debtBytesMax
                + " bytes of debt, " + slowestBytesPerSecond + " bytes/s, " + delayNanosMax
                + " ns"));
      }
      if (!(softFraction >= 0 && softFraction < 1)) {
        throw new InvalidOptionsException(
            List.of("softFraction is " + softFraction + " but must be from 0 to less than 1"));
      }
    }
  }

  /**
   * The amount of pending work of a shard, from which the delays of writers are computed.
   *
   * @param backlog memory taken by entries that are not in L0 yet, in units of one memory component
   * @param l0Runs runs in L0
   * @param debtBytes bytes that compaction and cleaning are behind; see
   *     {@link CompactionPicker#debtBytes}
   * @param garbage how far the reclaiming of value segments is behind; 1 if the store takes as much
   *     space as it may; see {@link SpaceAmplificationBudget}
   */
  public record Pressure(double backlog, int l0Runs, long debtBytes, double garbage) {

    /** Creates a pressure without garbage. */
    public Pressure(double backlog, int l0Runs, long debtBytes) {
      this(backlog, l0Runs, debtBytes, 0);
    }

    /** This pressure with another value for garbage. */
    public Pressure withGarbage(double share) {
      return new Pressure(backlog, l0Runs, debtBytes, share);
    }

    /** This pressure with another backlog. */
    public Pressure withBacklog(double components) {
      return new Pressure(components, l0Runs, debtBytes, garbage);
    }

    /** Checks that no figure is negative. */
    public Pressure {
      if (!(backlog >= 0) || l0Runs < 0 || debtBytes < 0 || !(garbage >= 0)) {
        throw new IllegalArgumentException(
            "negative pressure: " + backlog + " components unflushed, " + l0Runs + " runs, "
                + debtBytes + " bytes of debt, garbage " + garbage);
      }
    }
  }

  /**
   * The amount of garbage allowed before writers are slowed to the pace of collection. Bytes
   * written after the measurement count too, so that a long job does not leave writers
   * unrestricted.
   *
   * @param beyondBytes bytes of garbage beyond the point where collection begins; negative before
   *     it
   * @param roomBytes bytes from that point to the limit
   * @param garbageShare the share of written bytes that make an equal number of older bytes garbage
   */
  public record SpaceAmplificationBudget(
      double beyondBytes, double roomBytes, double garbageShare) {

    /** Unlimited room, for a store without known garbage. */
    public static final SpaceAmplificationBudget ANY = new SpaceAmplificationBudget(0, 1, 0);

    /**
     * How far collection is behind: 0 where it begins, 1 where the limit is reached.
     *
     * @param writtenBytes bytes written since the measurement
     */
    public double pressure(long writtenBytes) {
      return Math.max(0, (beyondBytes + garbageShare * writtenBytes) / roomBytes);
    }
  }
}
