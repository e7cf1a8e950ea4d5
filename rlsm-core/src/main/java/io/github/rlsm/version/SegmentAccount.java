// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import java.util.Locale;

/**
 * The live and dead bytes of a value-log segment.
 *
 * @param number the segment's number, 1 or more
 * @param totalBytes bytes of the records in the segment
 * @param deadBytes the part of {@code totalBytes} whose values no table points to
 */
public record SegmentAccount(int number, long totalBytes, long deadBytes) {

  /** Checks that the numbers are consistent. */
  public SegmentAccount {
    if (number <= 0 || number == Integer.MAX_VALUE || deadBytes < 0 || deadBytes > totalBytes) {
      throw new IllegalArgumentException(String.format(
          Locale.ROOT,
          "invalid account of value-log segment %d: %d of %d bytes dead",
          number,
          deadBytes,
          totalBytes));
    }
  }

  /** Bytes of records that tables point to. */
  public long liveBytes() {
    return totalBytes - deadBytes;
  }
}
