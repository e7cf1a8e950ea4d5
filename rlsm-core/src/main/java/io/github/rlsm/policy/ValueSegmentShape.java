// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

/**
 * A value segment, as far as a decision may know it.
 *
 * @param number its number; larger ones are younger
 * @param totalBytes bytes of its records
 * @param liveBytes about how many of them would have to be written again to free it
 */
public record ValueSegmentShape(int number, long totalBytes, long liveBytes) {

  /** Checks that no more is live than there is. */
  public ValueSegmentShape {
    if (number < 1 || liveBytes < 0 || liveBytes > totalBytes) {
      throw new IllegalArgumentException(
          "value segment " + number + " with " + liveBytes + " of " + totalBytes + " bytes live");
    }
  }

  /** The share of it that is live; 1 for an empty one, which nobody gains by freeing. */
  double liveFraction() {
    return totalBytes == 0 ? 1 : (double) liveBytes / totalBytes;
  }
}
