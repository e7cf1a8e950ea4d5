// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import java.util.Locale;

/**
 * How much of a value-log segment is still needed.
 *
 * @param number the segment's number, 1 or more
 * @param totalBytes bytes of the records in the segment
 * @param deadBytes how many of those belong to values that no table points to any more
 */
public record SegmentAccount(int number, long totalBytes, long deadBytes) {

  /** Checks that the numbers agree with each other. */
  public SegmentAccount {
    if (number <= 0 || number == Integer.MAX_VALUE || deadBytes < 0 || deadBytes > totalBytes) {
      throw new IllegalArgumentException(String.format(
          Locale.ROOT,
          "value-log segment %d with %d of %d bytes dead",
          number,
          deadBytes,
          totalBytes));
    }
  }

  /** Bytes that are still needed. */
  public long liveBytes() {
    return totalBytes - deadBytes;
  }
}
