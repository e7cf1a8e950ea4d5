// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

/** A key, value, batch or name exceeds a limit. Nothing was written. */
public final class InvalidEntryException extends KvException {

  private static final long serialVersionUID = 1L;

  /** Creates the error with a message that names the problem and the limit. */
  public InvalidEntryException(String message) {
    super(message, null);
  }

  /**
   * Creates the error for an entry with a known key.
   *
   * @param message the problem and the limit
   * @param key the entry's key; shown in hex, shortened when long
   */
  public InvalidEntryException(String message, byte[] key) {
    super(message + " (key " + KeyFormat.shortHex(key) + ")", null);
  }
}
