// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

/**
 * What an entry says about its key. The codes are part of the disk format: never change one.
 *
 * <p>Plain ints instead of an enum, because they are read from memory on every lookup.
 */
public final class EntryKind {

  /** The value stands beside the key. */
  public static final int PUT = 1;

  /** The key is deleted: a tombstone. */
  public static final int DELETE = 2;

  /** The value stands in the value log; beside the key stands a {@link ValuePointer}. */
  public static final int POINTER = 3;

  private EntryKind() {}

  /** Whether the code is one of the above. */
  public static boolean isKnown(int kind) {
    return kind >= PUT && kind <= POINTER;
  }
}
