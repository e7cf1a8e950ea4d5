// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

/** The store, snapshot or iterator was used after it or its store was closed. */
public final class StoreClosedException extends KvException {

  private static final long serialVersionUID = 1L;

  /** Creates the error for the named object, for example "store". */
  public StoreClosedException(String what) {
    super(what + " is closed", null);
  }
}
