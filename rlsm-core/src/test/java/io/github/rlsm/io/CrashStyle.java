// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

/**
 * The effect of a power loss on bytes and names that were not forced. Forced data survives every
 * style.
 */
public enum CrashStyle {
  /** All unforced data is lost: bytes, file lengths, names. */
  DROP_UNSYNCED,
  /** All unforced data survives, as if it had been forced. */
  KEEP_UNSYNCED,
  /**
   * Of the changed 4 KiB pages, a random subset survives. Of an appended tail, a random length
   * survives. Of the changes of names, a prefix or a random subset survives.
   */
  RANDOM_PAGES,
  /** As {@link #RANDOM_PAGES}, and pages are torn at 512-byte sectors. */
  TORN_SECTORS,
  /**
   * As {@link #TORN_SECTORS}, and mapped pages are torn at 64-byte cache lines, because the device
   * may write a page while a thread stores to it.
   */
  TORN_LINES
}
