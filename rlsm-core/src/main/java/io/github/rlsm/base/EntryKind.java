// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

/**
 * The kinds of entries. The codes are part of the disk format and must never change.
 *
 * <p>The kinds are plain ints and not an enum, because every lookup reads them from memory.
 */
public final class EntryKind {

  /** The value is stored inline, next to the key. */
  public static final int PUT = 1;

  /** The key is deleted: a tombstone. */
  public static final int DELETE = 2;

  /** The value is in the value log. A {@link ValuePointer} is stored next to the key. */
  public static final int POINTER = 3;

  private EntryKind() {}

  /** Returns whether the code is one of the kinds above. */
  public static boolean isKnown(int kind) {
    return kind >= PUT && kind <= POINTER;
  }
}
