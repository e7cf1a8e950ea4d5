// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

/**
 * A version of an entry, packed into a long. The upper half is the version's seqno minus the
 * generation's base seqno; the lower half is the location in the generation's segments. Of two
 * versions of a key, the larger one, compared as unsigned, is newer.
 */
final class Reference {

  /** No version yet. */
  static final long NONE = 0;

  /** The entry number was claimed but will not be used. */
  static final long ABANDONED = -1;

  private static final long DEAD = 1L << 63;

  private Reference() {}

  static long of(long seqnoDelta, int location) {
    return seqnoDelta << Integer.SIZE | Integer.toUnsignedLong(location);
  }

  /**
   * Marks the reference of an entry that turned out to duplicate the key of an earlier entry. A
   * dead reference is no version. Its location still leads to the key, because a sorted run may
   * already contain the entry.
   */
  static long dead(long reference) {
    return reference | DEAD;
  }

  /** Returns whether the reference is a version: not {@link #NONE}, not abandoned, not dead. */
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
