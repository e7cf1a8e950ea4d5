// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.kv.InvalidOptionsException;
import java.util.List;

/**
 * The thresholds for collecting value segments.
 *
 * @param maxSpaceAmplification the limit of a store that is written to, in bytes on disk for each
 *     live byte. Close to it, segments are collected and writers are slowed. At least 1 and finite,
 *     default 2. A smaller limit saves space and costs writes
 * @param restSpaceAmplification the target of a store that is not written to; see {@link #atRest}.
 *     At least 1, and at most {@code maxSpaceAmplification}; default 1.3. A smaller target saves
 *     space and costs writes
 * @param liveFractionMax a segment with a larger live share is not collected, since the cost would
 *     exceed the gain; between 0 and 1, default 0.8
 * @param slackBytes bytes of garbage beyond the point where collection begins that any store may
 *     have, however small; at least 1, default 96 MiB. Fewer bytes slow down the writers of small
 *     stores
 * @param movedBytesMin bytes of values that may be moved at once, out of one partition and in
 *     total, even in a small store; at least 1, default 128 MiB. Fewer bytes rewrite tables more
 *     often
 * @param readBytesMax bytes of value segments that one move may read, if it needs much of each. A
 *     move reads its segments once for each group of new segments that it fills. So they should
 *     stay in memory during the move. Equal parts of a larger work may be a quarter longer. At
 *     least 1, default 1 GiB
 */
public record CollectSettings(
    double maxSpaceAmplification,
    double restSpaceAmplification,
    double liveFractionMax,
    long slackBytes,
    long movedBytesMin,
    long readBytesMax) {

  /** The defaults given above. */
  public static final CollectSettings DEFAULT =
      new CollectSettings(2, 1.3, 0.8, 96L << 20, 128L << 20, 1L << 30);

  /**
   * The limit of the live share for a requested collection: nearly all garbage is worth collecting.
   */
  private static final double ASKED_LIVE_FRACTION_MAX = 0.95;

  /** Checks every setting. */
  public CollectSettings {
    if (!(maxSpaceAmplification >= 1 && maxSpaceAmplification < Double.POSITIVE_INFINITY)) {
      throw refused("maxSpaceAmplification", maxSpaceAmplification, "at least 1 and finite");
    }
    if (!(restSpaceAmplification >= 1 && restSpaceAmplification <= maxSpaceAmplification)) {
      throw refused(
          "restSpaceAmplification",
          restSpaceAmplification,
          "at least 1 and at most maxSpaceAmplification, " + maxSpaceAmplification);
    }
    if (!(liveFractionMax > 0 && liveFractionMax < 1)) {
      throw refused("liveFractionMax", liveFractionMax, "between 0 and 1");
    }
    if (slackBytes < 1) {
      throw refused("slackBytes", slackBytes, "at least 1");
    }
    if (movedBytesMin < 1) {
      throw refused("movedBytesMin", movedBytesMin, "at least 1");
    }
    if (readBytesMax < 1) {
      throw refused("readBytesMax", readBytesMax, "at least 1");
    }
  }

  private static InvalidOptionsException refused(String name, Number value, String rule) {
    return new InvalidOptionsException(List.of(name + " is " + value + " but must be " + rule));
  }

  /**
   * The settings for a store that is not written to. Its target is smaller than the limit for
   * writers. The longer a segment is left alone, the more of its values die without work, so most
   * of the garbage of a store under load costs nothing to reclaim later.
   */
  public CollectSettings atRest() {
    return new CollectSettings(
        restSpaceAmplification,
        restSpaceAmplification,
        Math.max(liveFractionMax, worthwhileLiveFraction(restSpaceAmplification)),
        slackBytes,
        movedBytesMin,
        readBytesMax);
  }

  /**
   * The live share up to which segments must be collected for a given limit of space. With garbage
   * spread evenly, a store at its limit is live by 1 / limit. The result lies halfway from there to
   * 1, so that any limit can be reached. It is less than 1 even for a limit of 1.
   */
  public static double worthwhileLiveFraction(double spaceAmplification) {
    return Math.min(Math.nextDown(1.0), (1 + 1 / spaceAmplification) / 2);
  }

  /**
   * The settings for a collection that a user requested: every segment that gives space back is
   * collected.
   */
  public CollectSettings whenAsked() {
    return new CollectSettings(
        1,
        1,
        Math.max(liveFractionMax, ASKED_LIVE_FRACTION_MAX),
        slackBytes,
        movedBytesMin,
        readBytesMax);
  }
}
