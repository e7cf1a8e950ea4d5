// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.kv.InvalidOptionsException;
import java.util.List;

/**
 * The limits of the stall policy. At each of them writing is as slow as it gets, but goes on.
 *
 * @param backlogMax memory components there may be; that it stops while all of them are full is not
 *     this policy's doing
 * @param l0RunsMax runs in L0
 * @param debtBytesMax bytes that compaction and cleaning are behind
 * @param softFraction the share of a limit below which nobody waits; from 0 to less than 1
 * @param slowestBytesPerSecond the rate towards which each writer is slowed as a limit comes near
 * @param delayNanosMax the longest delay of a write, in nanoseconds; of a long write, of each piece
 *     ({@link StallPolicy#PIECE_BYTES})
 */
public record StallSettings(
    int backlogMax,
    int l0RunsMax,
    long debtBytesMax,
    double softFraction,
    long slowestBytesPerSecond,
    long delayNanosMax) {

  /** Checks that every limit is positive, and the soft share not all of it. */
  public StallSettings {
    if (backlogMax < 1
        || l0RunsMax < 1
        || debtBytesMax < 1
        || slowestBytesPerSecond < 1
        || delayNanosMax < 0) {
      throw new InvalidOptionsException(List.of("stall limits must be positive: "
          + backlogMax + " components, " + l0RunsMax + " runs, " + debtBytesMax
          + " bytes of debt, " + slowestBytesPerSecond + " bytes/s, " + delayNanosMax + " ns"));
    }
    if (!(softFraction >= 0 && softFraction < 1)) {
      throw new InvalidOptionsException(
          List.of("softFraction is " + softFraction + " but must be from 0 to less than 1"));
    }
  }
}
