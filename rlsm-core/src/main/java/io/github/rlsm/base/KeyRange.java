// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A half-open range of internal keys: the lower bound is inclusive, the upper bound exclusive, and
 * either may be absent. Immutable. The accessors return the internal arrays; callers must not
 * modify them.
 */
public final class KeyRange {

  /** The range of all keys. */
  public static final KeyRange ALL = new KeyRange(null, null);

  /** A range without keys. */
  public static final KeyRange EMPTY = new KeyRange(null, new byte[0]);

  private final byte @Nullable [] from;
  private final byte @Nullable [] to;

  private KeyRange(byte @Nullable [] from, byte @Nullable [] to) {
    this.from = from;
    this.to = to;
  }

  /**
   * Returns the range {@code from ≤ key < to}. Keeps the arrays without copying them.
   *
   * @param from the lower bound, or null for none
   * @param to the upper bound, or null for none; the range is empty if {@code to ≤ from}
   */
  public static KeyRange of(byte @Nullable [] from, byte @Nullable [] to) {
    return from == null && to == null ? ALL : new KeyRange(from, to);
  }

  /** The lower bound, inclusive; null if there is none. */
  public byte @Nullable [] from() {
    return from;
  }

  /** The upper bound, exclusive; null if there is none. */
  public byte @Nullable [] to() {
    return to;
  }

  /** Returns whether the range contains no key. */
  public boolean isEmpty() {
    return to != null && (to.length == 0 || (from != null && compare(from, to) >= 0));
  }

  /** Returns whether the range contains a key. */
  public boolean contains(byte[] key) {
    return contains(key, 0, key.length);
  }

  /** Returns whether the range contains the key {@code key[offset, offset + length)}. */
  public boolean contains(byte[] key, int offset, int length) {
    return (from == null || KeyOrder.compare(key, offset, length, from, 0, from.length) >= 0)
        && (to == null || KeyOrder.compare(key, offset, length, to, 0, to.length) < 0);
  }

  /** Returns whether the two ranges have a key in common. */
  public boolean intersects(KeyRange other) {
    return !intersection(other).isEmpty();
  }

  /**
   * Returns whether the range contains all of the other range, which is always so if that is empty.
   */
  public boolean covers(KeyRange other) {
    if (other.isEmpty()) {
      return true;
    }
    boolean below = from == null || (other.from != null && compare(from, other.from) <= 0);
    boolean above = to == null || (other.to != null && compare(to, other.to) >= 0);
    return below && above;
  }

  /** Returns the keys that both ranges contain. */
  public KeyRange intersection(KeyRange other) {
    boolean mineFrom = other.from == null || (from != null && compare(from, other.from) >= 0);
    boolean mineTo = other.to == null || (to != null && compare(to, other.to) <= 0);
    return of(mineFrom ? from : other.from, mineTo ? to : other.to);
  }

  /** Returns whether every key of this range is smaller than every key of the other range. */
  public boolean isBefore(KeyRange other) {
    return to != null && other.from != null && compare(to, other.from) <= 0;
  }

  /** Returns the smallest range that covers both ranges; null counts as empty. */
  public static KeyRange hull(@Nullable KeyRange a, KeyRange b) {
    if (a == null) {
      return b;
    }
    byte[] from = a.from;
    byte[] to = a.to;
    if (from != null && (b.from == null || compare(b.from, from) < 0)) {
      from = b.from;
    }
    if (to != null && (b.to == null || compare(b.to, to) > 0)) {
      to = b.to;
    }
    return of(from, to);
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
