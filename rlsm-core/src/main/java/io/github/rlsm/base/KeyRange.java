// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The internal keys from one, inclusive, to another, exclusive; either end may be open. Immutable;
 * the arrays handed out are the range's own and must not be written to.
 */
public final class KeyRange {

  /** Every key. */
  public static final KeyRange ALL = new KeyRange(null, null);

  private final byte @Nullable [] from;
  private final byte @Nullable [] to;

  private KeyRange(byte @Nullable [] from, byte @Nullable [] to) {
    this.from = from;
    this.to = to;
  }

  /**
   * The keys {@code from ≤ key < to}. The arrays are kept, not copied.
   *
   * @param from the first key, or null for a range without a lower end
   * @param to the key after the last, or null for a range without an upper end; not after
   *     {@code from} makes a range that is empty
   */
  public static KeyRange of(byte @Nullable [] from, byte @Nullable [] to) {
    return from == null && to == null ? ALL : new KeyRange(from, to);
  }

  /** The first key; null if the range has no lower end. */
  public byte @Nullable [] from() {
    return from;
  }

  /** The key after the last; null if the range has no upper end. */
  public byte @Nullable [] to() {
    return to;
  }

  /** Whether no key can lie in the range. */
  public boolean isEmpty() {
    return to != null && (to.length == 0 || (from != null && compare(from, to) >= 0));
  }

  /** Whether a key lies in the range. */
  public boolean contains(byte[] key) {
    return contains(key, 0, key.length);
  }

  /** Whether the key {@code key[offset, offset + length)} lies in the range. */
  public boolean contains(byte[] key, int offset, int length) {
    return (from == null || KeyOrder.compare(key, offset, length, from, 0, from.length) >= 0)
        && (to == null || KeyOrder.compare(key, offset, length, to, 0, to.length) < 0);
  }

  /** Whether some key lies in both ranges. */
  public boolean intersects(KeyRange other) {
    return !intersection(other).isEmpty();
  }

  /** Whether every key of the other range lies in this one. An empty range is covered by any. */
  public boolean covers(KeyRange other) {
    if (other.isEmpty()) {
      return true;
    }
    boolean below = from == null || (other.from != null && compare(from, other.from) <= 0);
    boolean above = to == null || (other.to != null && compare(to, other.to) >= 0);
    return below && above;
  }

  /** The keys that lie in both ranges. */
  public KeyRange intersection(KeyRange other) {
    boolean mineFrom = other.from == null || (from != null && compare(from, other.from) >= 0);
    boolean mineTo = other.to == null || (to != null && compare(to, other.to) <= 0);
    return of(mineFrom ? from : other.from, mineTo ? to : other.to);
  }

  private static int compare(byte[] a, byte[] b) {
    return Arrays.compareUnsigned(a, b);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof KeyRange range
        && Arrays.equals(from, range.from)
        && Arrays.equals(to, range.to);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(from) + Arrays.hashCode(to);
  }

  @Override
  public String toString() {
    return "[" + hex(from) + ", " + hex(to) + ")";
  }

  private static String hex(byte @Nullable [] key) {
    return key == null ? "open" : HexFormat.of().formatHex(key);
  }
}
