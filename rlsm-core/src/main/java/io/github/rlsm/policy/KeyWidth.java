// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Measures the width of key ranges as integers: the paper's {@code Max - Min} for keys of bytes.
 *
 * <p>All ranges to be compared are measured on one scale. Their bounds have a longest common
 * prefix, which carries no information and is removed. The <em>position</em> of a key is the next
 * {@value #WINDOW_BYTES} bytes after the prefix, padded with zero bytes at the end, as an unsigned
 * big-endian number. The width of a range is the difference of its bounds' positions, but at least
 * 1.
 *
 * <p>Properties: positions increase with keys, but not strictly. Keys that differ only after the
 * window, or by trailing zero bytes, have the same position. So a range is at least as wide as any
 * range it covers. Widths are exact, positive, and below 2<sup>8 · {@value #WINDOW_BYTES}</sup>.
 * For big-endian integers of one length, the width of {@code [a, b]} is proportional to {@code b -
 * a}.
 */
final class KeyWidth {

  /** Long enough to distinguish keys that share a tenant and a date after the common prefix. */
  private static final int WINDOW_BYTES = 32;

  private final byte[] prefix;

  private KeyWidth(byte[] prefix) {
    this.prefix = prefix;
  }

  /** The scale for ranges that are bounded on both sides, and for every range inside their hull. */
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

  /** The width of a range inside the hull of the scale's ranges. */
  BigInteger of(KeyRange range) {
    return position(range.to()).subtract(position(range.from())).max(BigInteger.ONE);
  }

  private BigInteger position(byte @Nullable [] key) {
    if (key == null || !startsWithPrefix(key)) {
      throw new IllegalArgumentException("a bound is open or outside the ranges of the scale");
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

  /**
   * The paper's {@code TotalNumberOfKVs / (Max - Min)} as an exact fraction. The keys of a dense
   * run are close together, so few partitions get a share of it.
   *
   * @param entries keys in the run
   * @param width width of its span; positive
   */
  record Density(long entries, BigInteger width) implements Comparable<Density> {

    @Override
    public int compareTo(Density other) {
      BigInteger mine = BigInteger.valueOf(entries).multiply(other.width);
      return mine.compareTo(BigInteger.valueOf(other.entries).multiply(width));
    }
  }
}
