// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

/**
 * What becomes, at a power loss, of bytes and names that were not forced. What was forced survives
 * every style.
 */
public enum CrashStyle {
  /** Nothing that was not forced is there: bytes, file lengths, names. */
  DROP_UNSYNCED,
  /** All of it is there, as if it had been forced. */
  KEEP_UNSYNCED,
  /**
   * Of the 4 KiB pages that were changed some are there and some are not, of an appended tail any
   * length, of the changes of names a beginning or any subset.
   */
  RANDOM_PAGES,
  /** As {@link #RANDOM_PAGES}, and pages are torn at 512-byte sectors. */
  TORN_SECTORS,
  /**
   * As {@link #TORN_SECTORS}, and mapped pages are torn at 64-byte cache lines: they may be written
   * to the device while stores go on.
   */
  TORN_LINES
}
