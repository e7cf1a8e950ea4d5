// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.kv.InvalidOptionsException;
import java.util.List;

/**
 * When value segments are collected.
 *
 * @param maxSpaceAmplification segments are collected while the store takes more than so many bytes
 *     for each live one; more than 1, default 1.3. Smaller saves space and costs writes
 * @param liveFractionMax a segment of which a larger share is live stays as it is, since freeing it
 *     would cost more than it gives; between 0 and 1, default 0.8
 * @param slackBytes garbage beyond where collecting begins that hurts nobody, however small the
 *     store; at least 1, default 96 MiB. Smaller slows the writers of small stores down
 * @param movedBytesMin values that may be moved at once, out of a partition and in all, however
 *     small; at least 1, default 128 MiB. Smaller rewrites tables more often
 */
public record CollectSettings(
    double maxSpaceAmplification, double liveFractionMax, long slackBytes, long movedBytesMin) {

  /** The defaults named above. */
  public static final CollectSettings DEFAULT =
      new CollectSettings(1.3, 0.8, 96L << 20, 128L << 20);

  /** What somebody who asks for a collection gets: all that gives more than it is worth asking. */
  private static final double ASKED_LIVE_FRACTION_MAX = 0.95;

  /** Checks every setting. */
  public CollectSettings {
    if (!(maxSpaceAmplification >= 1 && maxSpaceAmplification < Double.POSITIVE_INFINITY)) {
      throw refused("maxSpaceAmplification", maxSpaceAmplification, "at least 1 and finite");
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
  }

  private static InvalidOptionsException refused(String name, Number value, String rule) {
    return new InvalidOptionsException(List.of(name + " is " + value + " but must be " + rule));
  }

  /** The settings for a collection that was asked for: whatever gives space back is collected. */
  public CollectSettings whenAsked() {
    return new CollectSettings(
        1, Math.max(liveFractionMax, ASKED_LIVE_FRACTION_MAX), slackBytes, movedBytesMin);
  }
}
