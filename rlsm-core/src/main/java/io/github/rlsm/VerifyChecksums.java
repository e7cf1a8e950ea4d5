// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

/**
 * When the checksum of a page is checked. Values in the value log are checked at every read anyway.
 */
public enum VerifyChecksums {
  /** The first time a page is read after its table was opened. The default. */
  FIRST_READ,
  /**
   * Every time: also finds bytes that go bad under an open store; lookups take a few times longer.
   */
  EVERY_READ
}
