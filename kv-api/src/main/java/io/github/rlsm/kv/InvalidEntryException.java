// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

/** A key, value, batch or name lies outside the limits. Nothing was written. */
public final class InvalidEntryException extends KvException {

  private static final long serialVersionUID = 1L;

  /** What is wrong and which limit applies. */
  public InvalidEntryException(String message) {
    super(message, null);
  }

  /**
   * What is wrong, for an entry whose key is known.
   *
   * @param key the entry's key; shown in hex, shortened when long
   */
  public InvalidEntryException(String message, byte[] key) {
    super(message + " (key " + KeyFormat.shortHex(key) + ")", null);
  }
}
