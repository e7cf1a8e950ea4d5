// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

/**
 * An earlier write or sync failed, so the store takes no more writes: what the device holds is no
 * longer known for certain. Reads go on. Close the store, mend the cause, and open it again: every
 * acknowledged write is there.
 */
public final class StoreFailedException extends KvException {

  private static final long serialVersionUID = 1L;

  /** The first failure. */
  public StoreFailedException(Throwable cause) {
    super(
        "the store is read-only since a write failed (" + cause.getMessage() + "); close it, mend"
            + " the cause and open it again",
        cause);
  }
}
