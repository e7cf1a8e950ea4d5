// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

/**
 * An earlier operation failed permanently, and the store accepts no more writes. For example, a
 * write or a force failed, so the content of the device is unknown. Reads work. Close the store,
 * fix the cause, and open the store again: no acknowledged write is lost. If the cause is a
 * {@link CorruptionException}, see there.
 */
public final class StoreFailedException extends KvException {

  private static final long serialVersionUID = 1L;

  /** Creates the error for the first failure. */
  public StoreFailedException(Throwable cause) {
    super(
        "the store is read-only because an operation failed (" + cause.getMessage()
            + "); close it, fix the cause and open it again",
        cause);
  }
}
