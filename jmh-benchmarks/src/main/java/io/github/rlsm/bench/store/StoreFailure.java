// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.store;

/** An operation of a compared store has failed. */
public final class StoreFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** With what was being done. */
  public StoreFailure(String operation, Throwable cause) {
    super(operation + ": " + cause.getMessage(), cause);
  }
}
