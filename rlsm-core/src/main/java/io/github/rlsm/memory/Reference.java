// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

/**
 * A version of an entry, as one long: the upper half is its seqno less the generation's base, the
 * lower half its location in the generation's segments. Of two versions of a key the one that is
 * larger, as an unsigned number, is newer.
 */
final class Reference {

  /** No version yet. */
  static final long NONE = 0;

  /** The entry number was claimed and will not be used. */
  static final long ABANDONED = -1;

  private static final long DEAD = 1L << 63;

  private Reference() {}

  static long of(long seqnoDelta, int location) {
    return seqnoDelta << Integer.SIZE | Integer.toUnsignedLong(location);
  }

  /**
   * What an entry holds that turned out to have its key in common with an earlier one: its location
   * still names the key, because a sorted run may already contain the entry, but no version.
   */
  static long dead(long reference) {
    return reference | DEAD;
  }

  /** Whether it is a version: neither {@link #NONE}, nor abandoned, nor dead. */
  static boolean isVersion(long reference) {
    return reference > 0;
  }

  static long delta(long reference) {
    return reference >>> Integer.SIZE;
  }

  static int location(long reference) {
    return (int) reference;
  }

  static boolean isNewer(long a, long b) {
    return Long.compareUnsigned(a, b) > 0;
  }
}
