// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

/**
 * When page checksums are verified. Checksums of values in the value log are verified at every
 * read, regardless of this option.
 */
public enum VerifyChecksums {
  /** Verifies a page when it is first read after its table was opened. The default. */
  FIRST_READ,
  /**
   * Verifies a page at every read. Also detects bytes that are damaged while the store is open.
   * Lookups take a few times longer.
   */
  EVERY_READ
}
