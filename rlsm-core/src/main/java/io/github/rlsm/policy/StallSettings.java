// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.kv.InvalidOptionsException;
import java.util.List;

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
public record StallSettings(
    int backlogMax,
    int l0RunsMax,
    long debtBytesMax,
    double softFraction,
    long slowestBytesPerSecond,
    long delayNanosMax) {

  /** Checks that every limit is in range and that the soft fraction is less than 1. */
  public StallSettings {
    if (backlogMax < 1
        || l0RunsMax < 1
        || debtBytesMax < 1
        || slowestBytesPerSecond < 1
        || delayNanosMax < 0) {
      throw new InvalidOptionsException(
          List.of("stall limits must be at least 1, and the longest delay at least 0: "
              + backlogMax + " components, " + l0RunsMax + " runs, " + debtBytesMax
              + " bytes of debt, " + slowestBytesPerSecond + " bytes/s, " + delayNanosMax + " ns"));
    }
    if (!(softFraction >= 0 && softFraction < 1)) {
      throw new InvalidOptionsException(
          List.of("softFraction is " + softFraction + " but must be from 0 to less than 1"));
    }
  }
}
