// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The width of key ranges as whole numbers: the paper's {@code Max - Min} for keys that are bytes.
 *
 * <p>All ranges to be compared are measured on one scale. Their bounds have a longest common
 * prefix, which carries no information and is cut off. Of what is left of a key the first
 * {@value #WINDOW_BYTES} bytes, padded with zero bytes at the end, are its <em>position</em>, an
 * unsigned big-endian number. The width of a range is the difference of its bounds' positions, but
 * at least 1.
 *
 * <p>Properties: positions rise with keys (not strictly: keys that differ only after the window, or
 * by trailing zero bytes, share one); hence a range has at least the width of any range it covers.
 * Widths are exact, never negative, never zero, and below 2<sup>8 · {@value #WINDOW_BYTES}</sup>.
 * For integers of one length, big-endian, the width of {@code [a, b]} is proportional to {@code b -
 * a}.
 */
final class KeyWidth {

  /** Long enough to tell apart keys that share a tenant and a date after the common prefix. */
  private static final int WINDOW_BYTES = 32;

  private final byte[] prefix;

  private KeyWidth(byte[] prefix) {
    this.prefix = prefix;
  }

  /** The scale for some ranges, all with two closed-off ends, and every range inside their hull. */
  static KeyWidth over(Collection<KeyRange> ranges) {
    byte @Nullable [] prefix = null;
    for (KeyRange range : ranges) {
      prefix = commonPrefix(commonPrefix(prefix, range.from()), range.to());
    }
    return new KeyWidth(prefix == null ? new byte[0] : prefix);
  }

  private static byte[] commonPrefix(byte @Nullable [] prefix, byte @Nullable [] bound) {
    if (bound == null) {
      throw new IllegalArgumentException("an open range has no width");
    }
    if (prefix == null) {
      return bound;
    }
    int mismatch = Arrays.mismatch(prefix, bound);
    return mismatch < 0 ? prefix : Arrays.copyOf(prefix, mismatch);
  }

  /** The width of a range inside the hull of those the scale was made for. */
  BigInteger of(KeyRange range) {
    return position(range.to()).subtract(position(range.from())).max(BigInteger.ONE);
  }

  private BigInteger position(byte @Nullable [] key) {
    if (key == null || !startsWithPrefix(key)) {
      throw new IllegalArgumentException("a bound lies outside the scale");
    }
    byte[] window = new byte[WINDOW_BYTES];
    int length = Math.min(WINDOW_BYTES, key.length - prefix.length);
    System.arraycopy(key, prefix.length, window, 0, length);
    return new BigInteger(1, window);
  }

  private boolean startsWithPrefix(byte[] key) {
    return key.length >= prefix.length
        && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
  }
}
