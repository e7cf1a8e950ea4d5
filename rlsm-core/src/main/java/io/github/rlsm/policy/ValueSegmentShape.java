// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

/**
 * The metadata of a value segment as policies see it.
 *
 * @param number its number; newer segments have larger numbers
 * @param totalBytes bytes of its records
 * @param liveBytes estimated bytes that must be rewritten to reclaim the segment
 */
public record ValueSegmentShape(int number, long totalBytes, long liveBytes) {

  /** Checks that the live bytes do not exceed the total. */
  public ValueSegmentShape {
    if (number < 1 || liveBytes < 0 || liveBytes > totalBytes) {
      throw new IllegalArgumentException(
          "value segment " + number + " has " + liveBytes + " live bytes of " + totalBytes);
    }
  }

  /** The live share of the segment; 1 for an empty segment, since reclaiming it gains nothing. */
  double liveFraction() {
    return totalBytes == 0 ? 1 : (double) liveBytes / totalBytes;
  }
}
