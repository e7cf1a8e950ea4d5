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
 * @param stepBytes about how many bytes of records are examined before other work gets its turn; at
 *     least 1, default 1 MiB
 */
public record CollectSettings(double maxSpaceAmplification, double liveFractionMax, int stepBytes) {

  /** The defaults named above. */
  public static final CollectSettings DEFAULT = new CollectSettings(1.3, 0.8, 1 << 20);

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
    if (stepBytes < 1) {
      throw refused("stepBytes", stepBytes, "at least 1");
    }
  }

  private static InvalidOptionsException refused(String name, Number value, String rule) {
    return new InvalidOptionsException(List.of(name + " is " + value + " but must be " + rule));
  }

  /** The settings for a collection that was asked for: whatever gives space back is collected. */
  public CollectSettings whenAsked() {
    return new CollectSettings(1, Math.max(liveFractionMax, ASKED_LIVE_FRACTION_MAX), stepBytes);
  }
}
