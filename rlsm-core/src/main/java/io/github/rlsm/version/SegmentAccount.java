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
 * @param paddingBytes bytes between the records, which would also be between moved records
 */
public record SegmentAccount(int number, long totalBytes, long deadBytes, long paddingBytes) {

  /** Checks that the numbers are consistent. */
  public SegmentAccount {
    boolean isPossible = deadBytes >= 0 && deadBytes <= totalBytes && paddingBytes >= 0;
    if (number <= 0 || number == Integer.MAX_VALUE || !isPossible) {
      throw new IllegalArgumentException(String.format(
          Locale.ROOT,
          "invalid account of value-log segment %d: %d of %d bytes dead, %d bytes of padding",
          number,
          deadBytes,
          totalBytes,
          paddingBytes));
    }
  }

  /** Returns the account after more of its records have become dead. */
  public SegmentAccount withDead(long moreBytes) {
    return new SegmentAccount(number, totalBytes, deadBytes + moreBytes, paddingBytes);
  }

  /** Bytes of the records and of the padding between them. */
  public long fileBytes() {
    return totalBytes + paddingBytes;
  }

  /** Bytes of records that tables point to. */
  public long liveBytes() {
    return totalBytes - deadBytes;
  }
}
